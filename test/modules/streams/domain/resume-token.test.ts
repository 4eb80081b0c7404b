import test from 'ava'
import { newId } from '../../../../kernel/base/ids.ts'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { extractTokens, parseStreamPath } from '../../../../modules/streams/domain/media-paths.ts'
import { createResumeToken, verifyResumeToken } from '../../../../modules/streams/domain/resume-token.ts'

test('verifies resume tokens and rejects forged ones', t => {
  const secrets = createSecrets(['the secret of this server, of thirty-two bytes'])
  const id = newId('peer')
  const token = createResumeToken(secrets, id)
  t.is(verifyResumeToken(secrets, token), id)
  t.is(verifyResumeToken(secrets, token.replace(id, newId('peer'))), undefined)
  t.is(verifyResumeToken(createSecrets(['another secret of another server entirely']), token), undefined)
  for (const wrong of ['', 'rt_', `rt_${id}`, `rt_${id}.`, `${token}x`])
    t.is(verifyResumeToken(secrets, wrong), undefined)
})

test('parses edge paths and tokens', t => {
  const id = newId('ses')
  t.is(parseStreamPath('live/', `live/${id}`), id)
  t.is(parseStreamPath('live/', `/live/${id}`), id)
  for (const path of [id, `other/${id}`, 'live/', `live/${id}/x`, 'live/../x'])
    t.is(parseStreamPath('live/', path), undefined)
  t.deepEqual(extractTokens({ token: 'a', password: 'b', query: 'join_token=c&token=d&jwt=e' }), [
    'a',
    'b',
    'c',
    'd',
    'e',
  ])
  t.deepEqual(extractTokens({ token: '', password: 'a', query: 'token=a' }), ['a'])
})
