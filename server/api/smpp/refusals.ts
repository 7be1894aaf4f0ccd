import { Refusal, type RefusalCode } from '../../kit/errors.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';

/** A message that is refused for a reason of SMPP alone. */
export class SmppRefusal extends Error {
  /** command_status of the answer. */
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** command_status of the answer by the code of a refusal (docs/smpp-server.md, "Refusals"). */
const statuses: Partial<Record<RefusalCode, number>> = {
  'bad-source': errorCode.ESME_RINVSRCADR,
  'source-not-verified': errorCode.ESME_RINVSRCADR,
  'bad-destination': errorCode.ESME_RINVDSTADR,
  'bad-message': errorCode.ESME_RINVMSGLEN,
  'too-fast': errorCode.ESME_RTHROTTLED,
  'try-again': errorCode.ESME_RMSGQFUL,
  'key-in-progress': errorCode.ESME_RMSGQFUL,
  'already-cancelled': errorCode.ESME_RCANCELFAIL,
  'already-sent': errorCode.ESME_RCANCELFAIL,
  'not-cancelled': errorCode.ESME_RCANCELFAIL,
};

/** Returns the command_status for an error; undefined for a fault of the service. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof SmppRefusal) return error.status;
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === 'bad-field' && error.path?.startsWith('phones')) return errorCode.ESME_RINVDSTADR;
  return statuses[error.code] ?? errorCode.ESME_RSUBMITFAIL;
}
