import { counter, gauge } from '../../kit/observability/metrics.ts';

export const boundClients = gauge('carillon_smpp_server_binds', 'Binds of SMPP clients to this process');
export const submits = counter(
  'carillon_smpp_server_submits_total',
  'Messages of SMPP clients, by command_status of the answer',
  'status',
);
export const refusedBinds = counter(
  'carillon_smpp_server_refused_binds_total',
  'Binds of SMPP clients that were refused, by command_status',
  'status',
);
export const receiptsStored = counter(
  'carillon_smpp_server_receipts_total',
  'Receipts that were stored until a receiver of the SMPP client takes them',
);
export const deliveriesTotal = counter(
  'carillon_smpp_server_deliveries_total',
  'Receipts and incoming messages sent to SMPP clients, by outcome',
  'outcome',
);
