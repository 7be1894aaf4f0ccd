import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { runPerl } from '../../support/net-smpp.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { PASSWORD, startSmppService } from './support.ts';

/* Net::SMPP of Perl as a client. */

const service = await startSmppService();

const program = `
use strict;
$| = 1;
my ($smpp, $bound) = Net::SMPP->new_transceiver('127.0.0.1', port => $ENV{SMPP_PORT}, system_id => $ENV{SYSTEM_ID},
  password => $ENV{PASSWORD}, system_type => 'perl') or die 'not connected';
die "bind: $bound->{status}" if $bound->{status} != 0;
print "$bound->{system_id}\\n";
my $sent = $smpp->submit_sm(source_addr_ton => 5, source_addr => 'Shop', destination_addr => $ENV{PHONE},
  dest_addr_ton => 1, dest_addr_npi => 1, short_message => 'From Perl', registered_delivery => 1) or die 'no answer';
die "submit: $sent->{status}" if $sent->{status} != 0;
print "$sent->{message_id}\\n";
while (my $pdu = $smpp->read_pdu()) {
  next if $pdu->{cmd} != Net::SMPP::CMD_deliver_sm;
  print "$pdu->{short_message}\\n";
  $smpp->deliver_sm_resp(message_id => '', seq => $pdu->{seq});
  last;
}
my $left = $smpp->unbind() or die 'no answer';
print "$left->{status}\\n";
`;

test('binds, submits, gets the receipt and unbinds', covers('smpp.peers'), async () => {
  const { system_id } = await service.newClient();
  const phone = newPhone();
  const [server, id, receipt, left] = await runPerl(program, {
    SMPP_PORT: String(service.port),
    SYSTEM_ID: system_id,
    PASSWORD,
    PHONE: stored(phone),
  });
  assert.equal(server, 'carillon');
  assert.match(receipt!, new RegExp(`^id:${id} sub:001 dlvrd:001 .* stat:DELIVRD err:000 text:$`));
  assert.equal(left, '0');
  assert.equal((await service.phone(phone))[0]?.text, 'From Perl');
  await waitFor('the acknowledged receipt to be deleted', async () => {
    return (await service.sql`SELECT FROM smpp_deliveries`).length === 0;
  });
});
