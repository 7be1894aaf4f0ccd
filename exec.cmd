@rem The scripts of package.json begin with the "exec" of Unix shells, so that npm passes signals on to Node itself.
@%*
