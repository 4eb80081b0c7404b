/**
 * IP addresses that requests of tenants may reach: only those that are globally reachable according to the
 * special-purpose registries of IANA (RFC 6890 and its updates). Pure.
 */
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Allocated unicast. Everything else (mapped, NAT64, unique local, link local, …) is not public. */
const GLOBAL_IPV6 = ['2000::', 3] as const

const SPECIAL_IPV4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers; a metadata service of Alibaba
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // host agent of Azure
  ['169.254.0.0', 16], // link local; metadata services
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; a metadata service of Oracle
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const

const SPECIAL_IPV6 = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID, …
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const

const global = new BlockList()
global.addSubnet(...GLOBAL_IPV6, 'ipv6')
const special = new BlockList()
for (const [net, bits] of SPECIAL_IPV4) special.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of SPECIAL_IPV6) special.addSubnet(net, bits, 'ipv6')

/** False for text that is not an IP address in standard notation. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  // Zones (`fe80::1%eth0`) only exist for link-local addresses.
  if (isIP(address) !== 6 || address.includes('%')) return false
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
