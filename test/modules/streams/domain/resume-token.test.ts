import test from 'ava'
import { newId } from '../../../../kernel/base/ids.ts'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { streamOfPath, tokensOf } from '../../../../modules/streams/domain/media-paths.ts'
import { peerOfToken, resumeToken } from '../../../../modules/streams/domain/resume-token.ts'

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
