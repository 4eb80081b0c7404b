import test from 'ava'
import { newId } from '../../../../kernel/ids.ts'
import { createSecrets } from '../../../../kernel/secrets.ts'
import { BURST, newBucket, RATE, take } from '../../../../modules/streams/core/bucket.ts'
import { peerOfToken, resumeToken } from '../../../../modules/streams/core/resume.ts'
import { streamOfPath, tokensOf } from '../../../../modules/streams/edge/paths.ts'

const taken = (bucket: ReturnType<typeof newBucket>, now: number): number => {
  let count = 0
  while (take(bucket, now)) count++
  return count
}

test('a burst passes, then so many a second', t => {
  const bucket = newBucket(0)
  t.is(taken(bucket, 0), BURST)
  t.is(taken(bucket, 1000), RATE)
  t.is(taken(bucket, 1020), 1)
  t.is(taken(bucket, 60_000), BURST)
})

test('a clock that steps back gives nothing away', t => {
  const bucket = newBucket(10_000)
  t.is(taken(bucket, 10_000), BURST)
  t.is(taken(bucket, 0), 0)
  t.is(taken(bucket, 1000), RATE)
})

test('a resume token opens the place that it was made for, and nobody makes one', t => {
  const secrets = createSecrets(['the secret of this server, of thirty-two bytes'])
  const id = newId('peer')
  const token = resumeToken(secrets, id)
  t.is(peerOfToken(secrets, token), id)
  t.is(peerOfToken(secrets, token.replace(id, newId('peer'))), undefined)
  t.is(peerOfToken(createSecrets(['another secret of another server entirely']), token), undefined)
  for (const wrong of ['', 'rt_', `rt_${id}`, `rt_${id}.`, `${token}x`]) t.is(peerOfToken(secrets, wrong), undefined)
})

test("the edge's paths and tokens are read", t => {
  const id = newId('ses')
  t.is(streamOfPath('live/', `live/${id}`), id)
  t.is(streamOfPath('live/', `/live/${id}`), id)
  for (const path of [id, `other/${id}`, 'live/', `live/${id}/x`, 'live/../x'])
    t.is(streamOfPath('live/', path), undefined)
  t.deepEqual(tokensOf({ token: 'a', password: 'b', query: 'join_token=c&token=d&jwt=e' }), ['a', 'b', 'c', 'd', 'e'])
  t.deepEqual(tokensOf({ token: '', password: 'a', query: 'token=a' }), ['a'])
})
