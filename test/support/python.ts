import { runPrograms } from './programs.ts';

const runner = `import contextlib, io, json, runpy, sys
results = []
for file in json.load(open(sys.argv[1])):
    printed, result = io.StringIO(), {}
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(file, run_name="__main__")
    except (Exception, SystemExit) as error:
        result["error"] = f"{type(error).__name__}: {error}"
    results.append({"printed": printed.getvalue(), **result})
json.dump(results, open(sys.argv[2], "w"))
`;

/** Runs Python programs in one process. */
export const runPython = runPrograms.bind(null, { command: ['python3'], ending: '.py', runner });
