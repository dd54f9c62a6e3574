/**
 * From which address somebody calls. Behind a proxy every connection is the proxy's: one that comes from a private
 * network is taken for one, and for what it says of its own caller. Whoever lies there to sign in is still held by the limit of each account.
 */
import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** Takes the peer of the connection and the value of `X-Forwarded-For`, of which a proxy adds the last part. */
export function callerAddress(peer: string | undefined, forwardedFor: string): string {
  const address = (peer ?? '').replace(/^::ffff:/i, '');
  const said = forwardedFor.split(',').at(-1)?.trim() ?? '';
  return isOfPrivateNetwork(address) && isIP(said) !== 0 ? said : address;
}

/** Whether a proxy of ours may be there, behind which everybody has the same address. */
export function isOfPrivateNetwork(address: string): boolean {
  return isIP(address) !== 0 && privateNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** What counts as one place: an address of version 4, and of version 6 the network of 64 bits, which one customer has whole. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  // The address of an interface is said with the name of that.
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  // In its one spelling, of which the groups of zeros are written out again.
  const [head = '', tail = ''] = new SocketAddress({ address: plain, family: 'ipv6' }).address.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0');
  return `${[...(before ?? []), ...zeros, ...(after ?? [])].slice(0, 4).join(':')}::/64`;
}
