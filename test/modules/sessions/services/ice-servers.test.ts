import { createHmac } from 'node:crypto'
import test from 'ava'
import { createIceServers } from '../../../../modules/sessions/services/ice-servers.ts'

const clock = { now: () => 1_700_000_000_500 }
const turn = { urls: ['stun:turn.test:3478', 'turn:turn.test:3478?transport=udp'], secret: 'new, old' }

test('issues credentials from the newest secret that expire after 4 h', t => {
  const { ice_servers, ice_expires_at } = createIceServers({ clock }, { turn }).forPeer('ses_1')
  const expiry = 1_700_000_000 + 4 * 3600
  t.deepEqual(ice_servers, [
    { urls: ['stun:turn.test:3478'] },
    {
      urls: ['turn:turn.test:3478?transport=udp'],
      username: `${expiry}:ses_1`,
      credential: createHmac('sha1', 'new').update(`${expiry}:ses_1`).digest('base64'),
    },
  ])
  t.is(ice_expires_at, new Date(expiry * 1000).toISOString())
})

test('applies the configured credential lifetime', t => {
  const { ice_servers } = createIceServers({ clock }, { turn: { ...turn, ttl: '10m' } }).forPeer('p')
  t.is(ice_servers[1]?.username, `${1_700_000_600}:p`)
})

test('returns no servers without URLs, and no credentials without a secret', t => {
  t.deepEqual(createIceServers({ clock }, {}).forPeer('p'), { ice_servers: [], ice_expires_at: null })
  t.deepEqual(createIceServers({ clock }, { turn: { urls: ['turn:a:1'], secret: '' } }).forPeer('p').ice_servers, [
    { urls: ['turn:a:1'] },
  ])
})
