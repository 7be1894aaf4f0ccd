import { dashboard, percentiles, rate } from './panels.ts';

/* The dashboards. Queues, wallets and the size of the database are measured by each process with the role jobs: hence `max`. */

const traffic = dashboard({
  uid: 'carillon-traffic',
  title: 'traffic',
  description: 'What comes in, what goes out, and what became of it.',
  panels: [
    {
      title: 'Accepted',
      description: 'Messages that are stored durably and answered for.',
      type: 'stat',
      unit: 'cps',
      queries: [[rate('carillon_messages_accepted_total'), 'accepted']],
    },
    {
      title: 'Delivered of those that ended',
      description: 'Of messages that were delivered or failed in the last hour.',
      type: 'stat',
      unit: 'percentunit',
      queries: [
        [
          'sum(increase(carillon_messages_delivered_total[1h])) / (sum(increase(carillon_messages_delivered_total[1h])) + (sum(increase(carillon_messages_failed_total[1h])) or vector(0)))',
          'delivered',
        ],
      ],
    },
    {
      title: 'Incoming',
      description: 'Messages from phones.',
      type: 'stat',
      unit: 'cps',
      queries: [[rate('carillon_incoming_total'), 'incoming']],
    },
    {
      title: 'One-time codes',
      description: 'Codes whose message was accepted.',
      type: 'stat',
      unit: 'cps',
      queries: [[rate('carillon_otp_sent_total'), 'sent']],
    },
    {
      title: 'Messages',
      description:
        'A gap between accepted and submitted is a queue; one between submitted and delivered is the carrier.',
      unit: 'cps',
      queries: [
        [rate('carillon_messages_accepted_total'), 'accepted'],
        [rate('carillon_messages_handed_over_total'), 'submitted'],
        [rate('carillon_messages_delivered_total'), 'delivered'],
        [rate('carillon_messages_failed_total'), 'failed'],
      ],
    },
    {
      title: 'Submitted by connector',
      description: 'Messages that a carrier accepted.',
      unit: 'cps',
      stacked: true,
      queries: [[rate('carillon_messages_handed_over_total', 'link'), '{{link}}']],
    },
    {
      title: 'Failed by status',
      description: 'Delivery statuses are listed in docs/reports.md.',
      unit: 'cps',
      stacked: true,
      queries: [[rate('carillon_messages_failed_total', 'status'), '{{status}}']],
    },
    {
      title: 'Requests of the SMS API',
      description: 'By operation.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_api_requests_total', 'operation'), '{{operation}}']],
    },
    {
      title: 'Answers of the SMS API other than 0',
      description: 'By status. 4 is lack of credit.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_api_requests_total{status!="0"}', 'status'), '{{status}}']],
    },
    {
      title: 'Requests under /v1',
      description: 'Of the console and of programs, by chapter of the documentation.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_v1_requests_total', 'chapter'), '{{chapter}}']],
    },
    {
      title: 'Refused and failed requests under /v1',
      description: 'By HTTP status. 5xx are faults of the service, or a database that is away.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_v1_requests_total{status=~"[45].."}', 'status'), '{{status}}']],
    },
    {
      title: 'Requests of the chat API and the mailing-list API',
      description: 'By operation.',
      unit: 'reqps',
      stacked: true,
      queries: [
        [rate('carillon_chat_api_requests_total', 'operation'), 'chat {{operation}}'],
        [rate('carillon_mail_api_requests_total', 'operation'), 'mail {{operation}}'],
      ],
    },
    {
      title: 'One-time codes',
      description: 'Many blocked ones are an attack (docs/one-time-codes.md).',
      unit: 'cps',
      queries: [
        [rate('carillon_otp_sent_total'), 'sent'],
        [rate('carillon_otp_checked_total', 'result'), 'checked: {{result}}'],
        [rate('carillon_otp_blocked_total', 'rule'), 'blocked: {{rule}}'],
      ],
    },
    {
      title: 'Clicks and removals',
      description: 'Short links that were followed, and people who asked to be removed.',
      unit: 'cps',
      queries: [
        [rate('carillon_link_clicks_total', 'visitor'), 'clicks: {{visitor}}'],
        [rate('carillon_removals_total', 'by'), 'removals: {{by}}'],
        [rate('carillon_mail_removals_total', 'by'), 'removals from mail: {{by}}'],
      ],
    },
  ],
});

const latency = dashboard({
  uid: 'carillon-latency',
  title: 'latency',
  description: 'How long requests, messages and webhooks take.',
  panels: [
    {
      title: 'Accepting',
      description: 'The transaction that stores messages, with the look-ups before it.',
      unit: 's',
      queries: percentiles('carillon_accept_seconds', ''),
    },
    {
      title: 'Requests',
      description: 'From the body being read to the answer.',
      unit: 's',
      queries: [
        ...percentiles('carillon_api_seconds', 'SMS API '),
        ...percentiles('carillon_chat_api_seconds', 'chat API '),
        ...percentiles('carillon_mail_api_seconds', 'mailing-list API '),
        ...percentiles('carillon_v1_seconds', '/v1 '),
      ],
    },
    {
      title: 'Requests under /v1 by chapter',
      description: 'From the body being read to the beginning of the answer (99th percentile).',
      unit: 's',
      queries: percentiles('carillon_v1_seconds', '{{chapter}} ', 'chapter').slice(1),
    },
    {
      title: 'Acceptance to submission',
      description:
        'From acceptance, or the time a message is due, until it is given to its connector, by priority lane.',
      unit: 's',
      queries: percentiles('carillon_hand_over_seconds', '{{lane}} ', 'lane'),
    },
    {
      title: 'Answers of carriers',
      description: 'From submit_sm to its answer, by connector.',
      unit: 's',
      queries: percentiles('carillon_smpp_submit_seconds', '{{link}} ', 'link'),
    },
    {
      title: 'Storing results',
      description: 'One transaction that stores what became of messages.',
      unit: 's',
      queries: percentiles('carillon_record_seconds', ''),
    },
    {
      title: 'Answers to pushes and webhooks',
      description: 'From sending one to its answer.',
      unit: 's',
      queries: percentiles('carillon_events_attempt_seconds', '{{kind}} ', 'kind'),
    },
    {
      title: 'Event loop',
      description:
        'How late the process comes to what it has to do (99th percentile). Above 0.1 s it has too much to do.',
      unit: 's',
      queries: [['nodejs_eventloop_lag_p99_seconds', '{{instance}}']],
    },
    {
      title: 'Speech',
      description: 'Time that the speech engine takes for one text.',
      unit: 's',
      queries: percentiles('carillon_speech_render_seconds', ''),
    },
  ],
});

const queues = dashboard({
  uid: 'carillon-queues',
  title: 'queues',
  description: 'What waits, how long, and what is done again.',
  panels: [
    {
      title: 'Age of the oldest due batch',
      description:
        'By priority lane. Codes should go within a second; campaigns wait as long as connectors take.',
      unit: 's',
      queries: [['max by (lane) (carillon_queue_age_seconds)', '{{lane}}']],
    },
    {
      title: 'Messages that are due',
      description: 'By priority lane.',
      unit: 'short',
      stacked: true,
      queries: [['max by (lane) (carillon_queue_messages)', '{{lane}}']],
    },
    {
      title: 'Age of the oldest event without an attempt',
      description:
        'Pushes and webhooks whose first attempt is late. One slow endpoint does not delay others.',
      unit: 's',
      queries: [['max(carillon_events_pending_age_seconds)', 'oldest']],
    },
    {
      title: 'Events in memory',
      description: 'By process.',
      unit: 'short',
      queries: [['carillon_events_in_process', '{{instance}}']],
    },
    {
      title: 'Pushes and webhooks',
      description: 'Delivered ones, and attempts that failed by reason.',
      unit: 'cps',
      queries: [
        [rate('carillon_events_delivered_total', 'kind'), 'delivered: {{kind}}'],
        [rate('carillon_events_failed_total', 'kind', 'reason'), 'failed: {{kind}}, {{reason}}'],
      ],
    },
    {
      title: 'Submitted again',
      description:
        'Retried after an answer of the carrier by its code, and resubmitted without one: possible duplicates.',
      unit: 'cps',
      queries: [
        [rate('carillon_messages_retried_total', 'code'), 'retried: {{code}}'],
        [rate('carillon_messages_resubmitted_total'), 'resubmitted'],
      ],
    },
    {
      title: 'Work that was given up',
      description: 'Work without progress that began anew, and results that could not be stored.',
      unit: 'cps',
      queries: [
        [rate('carillon_stuck_owners_total', 'owner'), '{{owner}}'],
        [rate('carillon_quarantined_total'), 'put aside'],
      ],
    },
    {
      title: 'Lost by a buffer',
      description:
        'Entries of the request log and clicks that were dropped because the database was away for long.',
      unit: 'cps',
      queries: [
        [rate('carillon_request_log_dropped_total'), 'request log'],
        [rate('carillon_link_clicks_lost_total'), 'clicks'],
      ],
    },
  ],
});

const connectors = dashboard({
  uid: 'carillon-connectors',
  title: 'connectors',
  description: 'Connections to carriers: SMPP, SIP trunks, business numbers, mail relays.',
  panels: [
    {
      title: 'Connectors that can send',
      description: 'By connector. Business numbers share one line.',
      unit: 'short',
      queries: [['sum by (link) (carillon_connectors{state="up"})', '{{link}}']],
    },
    {
      title: 'Connectors that are down',
      description: 'Held by a process, and nothing can be submitted.',
      unit: 'short',
      queries: [['sum by (link) (carillon_connectors{state="down"})', '{{link}}']],
    },
    {
      title: 'Answers of SMSCs',
      description: 'To submit_sm, by connector and outcome.',
      unit: 'cps',
      stacked: true,
      queries: [[rate('carillon_smpp_submits_total', 'link', 'outcome'), '{{link}} {{outcome}}']],
    },
    {
      title: 'SMPP sessions and requests under way',
      description: 'Sessions that are bound, and submit_sm without an answer.',
      unit: 'short',
      queries: [
        ['sum by (link) (carillon_smpp_binds)', '{{link}} sessions'],
        ['sum by (link) (carillon_smpp_in_flight)', '{{link}} in flight'],
      ],
    },
    {
      title: 'Trouble with SMSCs',
      description: 'Throttled, overdue and refused answers, attempts to connect again, unreadable PDUs.',
      unit: 'cps',
      queries: [
        [rate('carillon_smpp_throttled_total', 'link'), '{{link}} throttled'],
        [rate('carillon_smpp_overdue_total', 'link'), '{{link}} overdue'],
        [rate('carillon_smpp_reconnects_total', 'link'), '{{link}} reconnects'],
        [rate('carillon_smpp_bad_pdus_total', 'link'), '{{link}} unreadable'],
      ],
    },
    {
      title: 'Receipts and incoming messages',
      description: 'Of SMSCs; lost receipts are those whose message was never found.',
      unit: 'cps',
      queries: [
        [rate('carillon_smpp_receipts_total', 'link'), '{{link}} receipts'],
        [rate('carillon_smpp_incoming_total', 'link'), '{{link}} incoming'],
        [rate('carillon_receipts_unmatched_total', 'outcome'), 'unmatched: {{outcome}}'],
      ],
    },
    {
      title: 'Calls',
      description: 'Outgoing calls that ended, by outcome.',
      unit: 'cps',
      stacked: true,
      queries: [[rate('carillon_calls_total', 'outcome'), '{{outcome}}']],
    },
    {
      title: 'Trunks',
      description: 'Whether a trunk takes calls, and calls under way.',
      unit: 'short',
      queries: [
        ['max by (trunk) (carillon_trunk_up)', '{{trunk}} up'],
        ['sum by (trunk) (carillon_calls_open)', '{{trunk}} calls'],
      ],
    },
    {
      title: 'Bounces, complaints and answers of mails',
      description: 'By kind.',
      unit: 'cps',
      queries: [
        [rate('carillon_mail_returns_total', 'kind'), '{{kind}}'],
        [rate('carillon_mail_incoming_total', 'kind'), 'answer: {{kind}}'],
      ],
    },
    {
      title: 'TLS that was not accepted',
      description: 'By peer and reason (docs/carriers.md).',
      unit: 'cps',
      queries: [[rate('carillon_tls_faults_total', 'peer', 'reason'), '{{peer}}: {{reason}}']],
    },
  ],
});

const database = dashboard({
  uid: 'carillon-database',
  title: 'database and processes',
  description: 'Connections, commits and size of the database; processor and memory of the processes.',
  panels: [
    {
      title: 'Connections',
      description: 'Of each process: busy ones, and how many it may have.',
      unit: 'short',
      queries: [
        ['sum by (instance) (carillon_database_connections{state="busy"})', '{{instance}} busy'],
        ['sum by (instance) (carillon_database_connections_limit)', '{{instance}} limit'],
      ],
    },
    {
      title: 'Waiting for a connection',
      description:
        'Statements and transactions. More than a few, for longer than a moment, is a slow database or too few connections.',
      unit: 'short',
      queries: [['sum by (instance) (carillon_database_waiting)', '{{instance}}']],
    },
    {
      title: 'A small write',
      description: 'With its commit, every 10 seconds: mostly the disk of the write-ahead log.',
      unit: 's',
      queries: percentiles('carillon_database_write_seconds', ''),
    },
    {
      title: 'Writes that failed',
      description: 'The database is away, or cannot be written to.',
      unit: 'cps',
      queries: [[rate('carillon_database_write_failures_total', 'instance'), '{{instance}}']],
    },
    {
      title: 'Size',
      description: 'Of the database; of a distributed one, of its coordinator.',
      unit: 'bytes',
      queries: [['max(carillon_database_bytes)', 'database']],
    },
    {
      title: 'Transactions that accept and record',
      description: 'How many a second. Under load each has more messages.',
      unit: 'cps',
      queries: [
        [rate('carillon_accept_seconds_count'), 'accept'],
        [rate('carillon_record_seconds_count'), 'record'],
      ],
    },
    {
      title: 'Processor',
      description: 'Cores of each process. One thread does the work: near 1 a process has too much.',
      unit: 'short',
      queries: [['rate(process_cpu_seconds_total{job="carillon"}[$__rate_interval])', '{{instance}}']],
    },
    {
      title: 'Memory',
      description: 'Resident memory of each process.',
      unit: 'bytes',
      queries: [['process_resident_memory_bytes{job="carillon"}', '{{instance}}']],
    },
  ],
});

const money = dashboard({
  uid: 'carillon-money',
  title: 'money',
  description: 'Credits: what wallets hold, what is spent and refunded, and who cannot pay.',
  panels: [
    {
      title: 'Credits in all wallets',
      description: 'What was paid for and not spent yet.',
      type: 'stat',
      unit: 'short',
      queries: [['max(carillon_wallet_balance_credits)', 'credits']],
    },
    {
      title: 'Wallets without credit',
      description: 'These accounts cannot send.',
      type: 'stat',
      unit: 'short',
      queries: [['max(carillon_wallets_empty)', 'wallets']],
    },
    {
      title: 'Spent in the last hour',
      description: 'Charges less refunds.',
      type: 'stat',
      unit: 'short',
      queries: [
        [
          'sum(increase(carillon_wallet_credits_total{kind="charge",direction="out"}[1h])) - sum(increase(carillon_wallet_credits_total{kind="refund",direction="in"}[1h]))',
          'credits',
        ],
      ],
    },
    {
      title: 'Violated rules of money',
      description: 'More than 0 is a fault of the program: see the log.',
      type: 'stat',
      unit: 'short',
      queries: [['sum(carillon_invariant_violations_total{invariant=~"wallet|counts"})', 'violations']],
    },
    {
      title: 'Credits out of wallets',
      description:
        'A second, by kind. Credits are held for scheduled messages and for campaigns, and charged when they are sent.',
      unit: 'short',
      stacked: true,
      queries: [[rate('carillon_wallet_credits_total{direction="out"}', 'kind'), '{{kind}}']],
    },
    {
      title: 'Credits into wallets',
      description: 'A second, by kind.',
      unit: 'short',
      stacked: true,
      queries: [[rate('carillon_wallet_credits_total{direction="in"}', 'kind'), '{{kind}}']],
    },
    {
      title: 'Credits in all wallets',
      description: 'Falls with what is sent, rises with what is topped up.',
      unit: 'short',
      queries: [['max(carillon_wallet_balance_credits)', 'credits']],
    },
    {
      title: 'Refused for lack of credit',
      description: 'Requests of the SMS API that were answered with status 4.',
      unit: 'reqps',
      queries: [[rate('carillon_api_requests_total{status="4"}', 'operation'), '{{operation}}']],
    },
  ],
});

/** Every dashboard, by the name of its file. */
export const dashboards = { traffic, latency, queues, connectors, database, money };
