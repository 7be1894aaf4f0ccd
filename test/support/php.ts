import { runPrograms } from './programs.ts';

const runner = `<?php
error_reporting(E_ALL);
set_error_handler(function ($level, $message, $file, $line) {
    throw new ErrorException($message, 0, $level, $file, $line);
});
$results = [];
foreach (json_decode(file_get_contents($argv[1])) as $file) {
    ob_start();
    $error = null;
    try {
        (static function () use ($file) {
            require $file;
        })();
    } catch (Throwable $thrown) {
        $error = $thrown->getMessage();
    }
    $results[] = ['printed' => ob_get_clean(), ...($error === null ? [] : ['error' => $error])];
}
file_put_contents($argv[2], json_encode($results, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE));
`;

/** Runs PHP programs in one process; a warning is an error. */
export const runPhp = runPrograms.bind(null, { command: ['php'], ending: '.php', runner });
