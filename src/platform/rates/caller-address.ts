/**
 * Determines a caller's IP address. A connection from a private network is taken for one from a proxy, whose
 * `X-Forwarded-For` is trusted. A local client that lies in this header is still held by the limit per account.
 */
import { hash } from 'node:crypto';
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

/** Takes the peer of the connection and `X-Forwarded-For`, to which a proxy appends the address of its client. */
export function callerAddress(peer: string | undefined, forwardedFor: string): string {
  const address = (peer ?? '').replace(/^::ffff:/i, '');
  const said = forwardedFor.split(',').at(-1)?.trim() ?? '';
  return isIP(said) !== 0 && isOfPrivateNetwork(address) ? said : address;
}

/** Whether the address may be a proxy, which many callers share. */
export function isOfPrivateNetwork(address: string): boolean {
  return isIP(address) !== 0 && privateNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * The network that counts as one place: an IPv4 address, or the /64 of an IPv6 address, all of which belongs to one
 * customer.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  // Link-local addresses may have a zone.
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  // Normalizes the address, then expands its groups of zeros.
  const [head = '', tail = ''] = new SocketAddress({ address: plain, family: 'ipv6' }).address.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0');
  return `${[...(before ?? []), ...zeros, ...(after ?? [])].slice(0, 4).join(':')}::/64`;
}

/** The key under which an address is counted: a digest of its network. */
export function addressKey(address: string): string {
  return hash('sha256', networkOf(address), 'base64url');
}
