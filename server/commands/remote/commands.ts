import { type Command, InvalidArgumentError } from 'commander';
import { eventTypes } from '../../engine/events/types.ts';

/** Commands that call a service over HTTP, with a token of an account: anywhere, without its settings. */
export function remoteCommands(program: Command): void {
  const remote = (parent: Command, name: string) =>
    parent
      .command(name)
      .option('--url <url>', 'address of the service (default: CARILLON_URL, or that of "carillon login")')
      .option('--json', 'prints JSON, one line per result');
  remote(program, 'login')
    .description('stores an API token for these commands, read from the standard input')
    .action(async (options) => (await import('./login.ts')).login(options));
  remote(program, 'listen')
    .description('prints the events of the account as they happen, and forwards them to a local address')
    .option('--forward <url>', 'forwards each event to this address, signed as a webhook')
    .option('--events <types>', `comma-separated: ${eventTypes.join(', ')} (default: all)`)
    .option('--replay <id>', 'sends or prints this event of the last 30 days, and exits')
    .action(async (options) => (await import('./listen.ts')).listen(options));
  remote(program, 'logs')
    .description('lists the last requests with the tokens of the account')
    .option('--limit <number>', 'number of requests', readLimit, 50)
    .option('-f, --follow', 'also prints new requests as they arrive')
    .option('--refused', 'only refused requests')
    .option('--operation <name>', 'only this operation')
    .option('--status <status>', 'only this status')
    .action(async (options) => (await import('./logs.ts')).logs(options));
  program
    .command('mcp')
    .option('--url <url>', 'address of the service (default: CARILLON_URL, or that of "carillon login")')
    .description('connects an assistant on the standard input and output to the MCP server of a service')
    .action(async (options) => (await import('./mcp.ts')).mcp(options));
  const send = program.command('send').description('sends with a token of the account');
  const sending = (name: string) =>
    remote(send, name)
      .requiredOption('--from <sender>', 'sender: a verified number or name, or a business number')
      .requiredOption('--to <phones...>', 'recipients')
      .option('--key <key>', 'send key: a repeated command with the same key sends once');
  sending('sms <text>')
    .description('sends an SMS')
    .option('--campaign <name>', 'name of the campaign in reports')
    .option('--wait', 'prints the state of each message until it is final')
    .action(async (text, options) => (await import('./send.ts')).sendSms(text, options));
  sending('chat <template>')
    .description('sends a template by chat')
    .option('--variables <values...>', 'variables of the body')
    .action(async (template, options) => (await import('./send.ts')).sendChat(template, options));
  sending('code')
    .description('sends a one-time code')
    .option('--text <text>', 'text, with [code] in place of the code')
    .action(async (options) => (await import('./send.ts')).sendCode(options));
}

function readLimit(value: string): number {
  const limit = Number(value);
  if (!/^\d{1,3}$/.test(value) || limit < 1 || limit > 500) throw new InvalidArgumentError('1 to 500');
  return limit;
}
