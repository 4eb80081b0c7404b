import test from 'ava'
import { isPublicAddress } from '../../../services/outbound/public-address.ts'

const PUBLIC = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255
  128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2000::1 2001:200::1 2001:4860:4860::8888 2606:4700::1111 2a00:1450:4001::1 2003::1 3ffe::1 3fff:1000::1`

const PRIVATE = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
  168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1
  192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8
  64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1 2001:20::1 2001:1ff::1 2001:db8::1
  2002:7f00:1::1 2002:c0a8:1::1 2620:4f:8000::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1
  fe80::1%eth0 2000::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1`

test('addresses next to each special range are public', t => {
  for (const address of PUBLIC.split(/\s+/)) t.true(isPublicAddress(address), address)
})

test('private, loopback, link-local, carrier, metadata, mapped, tunneled and reserved addresses are not public', t => {
  for (const address of PRIVATE.split(/\s+/)) t.false(isPublicAddress(address), address)
})

test('text that is not an address in standard notation is not public', t => {
  for (const text of ['', 'localhost', '2130706433', '0x7f000001', '0177.0.0.1', '8.8.8', '[::1]', '8.8.8.8:80'])
    t.false(isPublicAddress(text), text)
})
