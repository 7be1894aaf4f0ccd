import { dashboard, percentiles, rate } from './panels.ts';

/* The dashboards. Queues, wallets and the size of the database are measured by each process with the role jobs: hence `max`. */

const traffic = dashboard({
  uid: 'carillon-traffic',
  title: 'traffic',
  description: 'Messages accepted and sent, and their outcomes.',
  panels: [
    {
      title: 'Accepted',
      description: 'Messages that are stored durably and acknowledged to the caller.',
      type: 'stat',
      unit: 'cps',
      queries: [[rate('carillon_messages_accepted_total'), 'accepted']],
    },
    {
      title: 'Delivery rate',
      description: 'Share of delivered messages among those that were delivered or failed in the last hour.',
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
      description: 'Messages received from phones.',
      type: 'stat',
      unit: 'cps',
      queries: [[rate('carillon_incoming_total'), 'incoming']],
    },
    {
      title: 'One-time codes',
      description: 'One-time codes whose message was accepted.',
      type: 'stat',
      unit: 'cps',
      queries: [[rate('carillon_otp_sent_total'), 'sent']],
    },
    {
      title: 'Messages',
      description:
        'A gap between accepted and submitted is a queue; a gap between submitted and delivered is the carrier.',
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
      description: 'Failed messages by delivery status; docs/reports.md lists the statuses.',
      unit: 'cps',
      stacked: true,
      queries: [[rate('carillon_messages_failed_total', 'status'), '{{status}}']],
    },
    {
      title: 'Requests to the SMS API',
      description: 'Requests by operation.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_api_requests_total', 'operation'), '{{operation}}']],
    },
    {
      title: 'SMS API responses other than 0',
      description: 'Responses by status. 4 is lack of credit.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_api_requests_total{status!="0"}', 'status'), '{{status}}']],
    },
    {
      title: 'Requests under /v1',
      description: 'Requests of the console and of programs, by chapter of the documentation.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_v1_requests_total', 'chapter'), '{{chapter}}']],
    },
    {
      title: 'Refused and failed requests under /v1',
      description: 'Responses by HTTP status. 5xx are faults of the service, or an unavailable database.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('carillon_v1_requests_total{status=~"[45].."}', 'status'), '{{status}}']],
    },
    {
      title: 'Requests to the chat API and the mailing-list API',
      description: 'Requests by operation.',
      unit: 'reqps',
      stacked: true,
      queries: [
        [rate('carillon_chat_api_requests_total', 'operation'), 'chat {{operation}}'],
        [rate('carillon_mail_api_requests_total', 'operation'), 'mail {{operation}}'],
      ],
    },
    {
      title: 'One-time codes',
      description: 'Codes that the fraud guard blocked. Many of them are an attack (docs/one-time-codes.md).',
      unit: 'cps',
      queries: [
        [rate('carillon_otp_sent_total'), 'sent'],
        [rate('carillon_otp_checked_total', 'result'), 'checked: {{result}}'],
        [rate('carillon_otp_blocked_total', 'rule'), 'blocked: {{rule}}'],
      ],
    },
    {
      title: 'Clicks and removals',
      description: 'Short links that recipients followed, and people who unsubscribed.',
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
  description: 'Response times of requests, messages and webhooks.',
  panels: [
    {
      title: 'Accepting',
      description: 'Duration of the transaction that stores messages, with the look-ups before it.',
      unit: 's',
      queries: percentiles('carillon_accept_seconds', ''),
    },
    {
      title: 'Requests',
      description: 'Time from reading the request body to the response.',
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
      description: 'Time from reading the request body to the start of the response (99th percentile).',
      unit: 's',
      queries: percentiles('carillon_v1_seconds', '{{chapter}} ', 'chapter').slice(1),
    },
    {
      title: 'Acceptance to submission',
      description:
        'Time from acceptance, or from the time a message is due, until its submission, by priority lane.',
      unit: 's',
      queries: percentiles('carillon_hand_over_seconds', '{{lane}} ', 'lane'),
    },
    {
      title: 'Carrier responses',
      description: 'Time from submit_sm to its response, by connector.',
      unit: 's',
      queries: percentiles('carillon_smpp_submit_seconds', '{{link}} ', 'link'),
    },
    {
      title: 'Storing results',
      description: 'Duration of a transaction that stores outcomes of messages.',
      unit: 's',
      queries: percentiles('carillon_record_seconds', ''),
    },
    {
      title: 'Responses to pushes and webhooks',
      description: 'Time from sending a push or webhook to its response.',
      unit: 's',
      queries: percentiles('carillon_events_attempt_seconds', '{{kind}} ', 'kind'),
    },
    {
      title: 'Event loop',
      description: 'Event loop delay (99th percentile). Above 0.1 s the process is overloaded.',
      unit: 's',
      queries: [['nodejs_eventloop_lag_p99_seconds', '{{instance}}']],
    },
    {
      title: 'Speech',
      description: 'Time that the speech engine needs for one text.',
      unit: 's',
      queries: percentiles('carillon_speech_render_seconds', ''),
    },
  ],
});

const queues = dashboard({
  uid: 'carillon-queues',
  title: 'queues',
  description: 'Waiting work, its age, and retries.',
  panels: [
    {
      title: 'Age of the oldest due batch',
      description:
        'Age by priority lane. Codes should be sent within a second; campaigns wait for the rates of their connectors.',
      unit: 's',
      queries: [['max by (lane) (carillon_queue_age_seconds)', '{{lane}}']],
    },
    {
      title: 'Due messages',
      description: 'Due messages by priority lane.',
      unit: 'short',
      stacked: true,
      queries: [['max by (lane) (carillon_queue_messages)', '{{lane}}']],
    },
    {
      title: 'Age of the oldest event without an attempt',
      description:
        'Pushes and webhooks whose first attempt is late. A slow endpoint does not delay the others.',
      unit: 's',
      queries: [['max(carillon_events_pending_age_seconds)', 'oldest']],
    },
    {
      title: 'Events in memory',
      description: 'Events in memory, by process.',
      unit: 'short',
      queries: [['carillon_events_in_process', '{{instance}}']],
    },
    {
      title: 'Pushes and webhooks',
      description: 'Delivered pushes and webhooks, and failed attempts by reason.',
      unit: 'cps',
      queries: [
        [rate('carillon_events_delivered_total', 'kind'), 'delivered: {{kind}}'],
        [rate('carillon_events_failed_total', 'kind', 'reason'), 'failed: {{kind}}, {{reason}}'],
      ],
    },
    {
      title: 'Resubmitted messages',
      description:
        'Messages retried after an error of the carrier, by its code, and messages resubmitted without a response: possible duplicates.',
      unit: 'cps',
      queries: [
        [rate('carillon_messages_retried_total', 'code'), 'retried: {{code}}'],
        [rate('carillon_messages_resubmitted_total'), 'resubmitted'],
      ],
    },
    {
      title: 'Abandoned work',
      description: 'Work without progress that was restarted, and results that could not be stored.',
      unit: 'cps',
      queries: [
        [rate('carillon_stuck_owners_total', 'owner'), '{{owner}}'],
        [rate('carillon_quarantined_total'), 'put aside'],
      ],
    },
    {
      title: 'Entries lost by a buffer',
      description:
        'Entries of the request log and clicks that were dropped because the database was unavailable for too long.',
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
      description: 'Connectors that can send, by connector. Business numbers share one line.',
      unit: 'short',
      queries: [['sum by (link) (carillon_connectors{state="up"})', '{{link}}']],
    },
    {
      title: 'Connectors that are down',
      description: 'Connectors that a process holds but that cannot submit messages.',
      unit: 'short',
      queries: [['sum by (link) (carillon_connectors{state="down"})', '{{link}}']],
    },
    {
      title: 'SMSC responses',
      description: 'Responses to submit_sm, by connector and outcome.',
      unit: 'cps',
      stacked: true,
      queries: [[rate('carillon_smpp_submits_total', 'link', 'outcome'), '{{link}} {{outcome}}']],
    },
    {
      title: 'SMPP sessions and outstanding requests',
      description: 'Bound sessions, and submit_sm without a response.',
      unit: 'short',
      queries: [
        ['sum by (link) (carillon_smpp_binds)', '{{link}} sessions'],
        ['sum by (link) (carillon_smpp_in_flight)', '{{link}} in flight'],
      ],
    },
    {
      title: 'SMSC faults',
      description: 'Throttled, overdue and rejected responses, reconnects and unreadable PDUs.',
      unit: 'cps',
      queries: [
        [rate('carillon_smpp_throttled_total', 'link'), '{{link}} throttled'],
        [rate('carillon_smpp_overdue_total', 'link'), '{{link}} overdue'],
        [rate('carillon_smpp_reconnects_total', 'link'), '{{link}} reconnects'],
        [rate('carillon_smpp_bad_pdus_total', 'link'), '{{link}} unreadable'],
      ],
    },
    {
      title: 'Delivery receipts and incoming messages',
      description:
        'Delivery receipts and messages from SMSCs; lost receipts are those whose message was never found.',
      unit: 'cps',
      queries: [
        [rate('carillon_smpp_receipts_total', 'link'), '{{link}} receipts'],
        [rate('carillon_smpp_incoming_total', 'link'), '{{link}} incoming'],
        [rate('carillon_receipts_unmatched_total', 'outcome'), 'unmatched: {{outcome}}'],
      ],
    },
    {
      title: 'Calls',
      description: 'Finished outgoing calls, by outcome.',
      unit: 'cps',
      stacked: true,
      queries: [[rate('carillon_calls_total', 'outcome'), '{{outcome}}']],
    },
    {
      title: 'Trunks',
      description: 'Whether a trunk accepts calls, and calls in progress.',
      unit: 'short',
      queries: [
        ['max by (trunk) (carillon_trunk_up)', '{{trunk}} up'],
        ['sum by (trunk) (carillon_calls_open)', '{{trunk}} calls'],
      ],
    },
    {
      title: 'Bounces, complaints and replies to email',
      description: 'Incoming email by kind.',
      unit: 'cps',
      queries: [
        [rate('carillon_mail_returns_total', 'kind'), '{{kind}}'],
        [rate('carillon_mail_incoming_total', 'kind'), 'answer: {{kind}}'],
      ],
    },
    {
      title: 'Rejected TLS connections',
      description: 'TLS failures by peer and reason (docs/carriers.md).',
      unit: 'cps',
      queries: [[rate('carillon_tls_faults_total', 'peer', 'reason'), '{{peer}}: {{reason}}']],
    },
  ],
});

const database = dashboard({
  uid: 'carillon-database',
  title: 'database and processes',
  description: 'Connections, commits and size of the database; processor and memory use of the processes.',
  panels: [
    {
      title: 'Connections',
      description: 'Busy connections of each process, and its limit.',
      unit: 'short',
      queries: [
        ['sum by (instance) (carillon_database_connections{state="busy"})', '{{instance}} busy'],
        ['sum by (instance) (carillon_database_connections_limit)', '{{instance}} limit'],
      ],
    },
    {
      title: 'Waiting for a connection',
      description:
        'Waiting statements and transactions. More than a few for longer than a moment mean a slow database or too few connections.',
      unit: 'short',
      queries: [['sum by (instance) (carillon_database_waiting)', '{{instance}}']],
    },
    {
      title: 'A small write',
      description:
        'Duration of a small write with its commit, measured every 10 seconds: mostly the disk of the write-ahead log.',
      unit: 's',
      queries: percentiles('carillon_database_write_seconds', ''),
    },
    {
      title: 'Writes that failed',
      description: 'Test writes that failed because the database is unavailable or refuses writes.',
      unit: 'cps',
      queries: [[rate('carillon_database_write_failures_total', 'instance'), '{{instance}}']],
    },
    {
      title: 'Size',
      description: 'Size of the database; for a distributed one, of its coordinator.',
      unit: 'bytes',
      queries: [['max(carillon_database_bytes)', 'database']],
    },
    {
      title: 'Transactions that accept and record',
      description: 'Transactions per second. Under load each one stores more messages.',
      unit: 'cps',
      queries: [
        [rate('carillon_accept_seconds_count'), 'accept'],
        [rate('carillon_record_seconds_count'), 'record'],
      ],
    },
    {
      title: 'Processor',
      description:
        'CPU cores used by each process. One thread does the work: a process near 1 is overloaded.',
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
  description: 'Credits: balances, spending and refunds, and accounts that cannot pay.',
  panels: [
    {
      title: 'Credits in all wallets',
      description: 'Credits that were paid for and not spent yet.',
      type: 'stat',
      unit: 'short',
      queries: [['max(carillon_wallet_balance_credits)', 'credits']],
    },
    {
      title: 'Wallets without credit',
      description: 'Accounts without credit, which cannot send.',
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
      title: 'Violated accounting rules',
      description: 'More than 0 is a fault of the program: see the log.',
      type: 'stat',
      unit: 'short',
      queries: [['sum(carillon_invariant_violations_total{invariant=~"wallet|counts"})', 'violations']],
    },
    {
      title: 'Credits leaving wallets',
      description:
        'Credits per second, by kind. Scheduled messages and campaigns hold credits, which are charged when they are sent.',
      unit: 'short',
      stacked: true,
      queries: [[rate('carillon_wallet_credits_total{direction="out"}', 'kind'), '{{kind}}']],
    },
    {
      title: 'Credits entering wallets',
      description: 'Credits per second, by kind.',
      unit: 'short',
      stacked: true,
      queries: [[rate('carillon_wallet_credits_total{direction="in"}', 'kind'), '{{kind}}']],
    },
    {
      title: 'Credits in all wallets',
      description: 'Falls with spending, rises with top-ups.',
      unit: 'short',
      queries: [['max(carillon_wallet_balance_credits)', 'credits']],
    },
    {
      title: 'Refused for lack of credit',
      description: 'Requests to the SMS API that were refused with status 4.',
      unit: 'reqps',
      queries: [[rate('carillon_api_requests_total{status="4"}', 'operation'), '{{operation}}']],
    },
  ],
});

/** Every dashboard, by the name of its file. */
export const dashboards = { traffic, latency, queues, connectors, database, money };
