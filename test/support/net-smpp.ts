import { spawn } from 'node:child_process';

/** Runs a program of Perl with Net::SMPP. Returns the lines that it prints; rejects if it fails. */
export async function runPerl(
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const child = spawn('perl', ['-MNet::SMPP', '-e', program], {
    env: { PATH: process.env.PATH!, ...environment },
  });
  let printed = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`perl: ${errors}`);
  return printed.trim().split('\n');
}
