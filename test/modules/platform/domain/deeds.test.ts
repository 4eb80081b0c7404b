import test from 'ava'
import { type Deed, notableDeeds, sentenceOf } from '../../../../modules/platform/domain/deeds.ts'

const ADA = { kind: 'login', id: 'lgn_1', userId: 'usr_ada' }
const BEN = { kind: 'login', id: 'lgn_2', userId: 'usr_ben' }
const deed = (type: string, actor: Deed['actor'] = ADA, subject = 'pag_1'): Deed => ({ type, actor, subject })
const typesOf = (deeds: readonly Deed[]) => notableDeeds(deeds).map(({ type, actor }) => `${type} ${actor.userId}`)

test('a verb without a sentence is followed by the title of its event, if a person did it', t => {
  t.is(sentenceOf(deed('features.override.set')), '{actor}: {subject} – {event}')
  t.is(sentenceOf(deed('features.override.set', { kind: 'apiKey', id: 'key_1' })), undefined)
  t.is(sentenceOf(deed('streams.stream.constructor')), '{actor}: {subject} – {event}')
})

test('what nobody did is shown only when it appears', t => {
  const system = { kind: 'system', id: 'larder' }
  t.is(sentenceOf(deed('collections.tickets.created', system)), '{subject} was created')
  t.is(sentenceOf(deed('collections.tickets.updated', system)), undefined)
})

test('what happened to the account of a person is no deed, since the log says who joined', t => {
  const system = { kind: 'system', id: 'larder' }
  t.is(sentenceOf(deed('identity.user.created', system, 'usr_ada')), undefined)
  t.is(sentenceOf(deed('identity.email.verified', ADA, 'usr_ada')), undefined)
  t.is(sentenceOf(deed('points.balance.awarded', BEN, 'usr_ada')), '{actor}: {subject} – {event}')
})

test('a form is submitted, not created, and a file uploaded', t => {
  t.is(sentenceOf(deed('media.item.ready')), '{actor} uploaded {subject}')
  t.is(sentenceOf(deed('forms.submission.created', { kind: 'system', id: 'larder' })), '{subject} was submitted')
  t.is(sentenceOf(deed('forms.submission.created')), '{actor} submitted {subject}')
})

test('a person who changed a record again and again is shown once, and not at all beside what else they did to it', t => {
  const updated = () => deed('content.page.updated')
  const published = deed('content.page.published')
  t.deepEqual(typesOf([updated(), updated()]), ['content.page.updated usr_ada'])
  t.deepEqual(typesOf([published, updated(), updated()]), ['content.page.published usr_ada'])
  const live = deed('streams.stream.live')
  t.deepEqual(typesOf([deed('streams.stream.layout_updated'), live]), ['streams.stream.live usr_ada'])
  t.deepEqual(typesOf([deed('content.page.updated', BEN), published, updated()]), [
    'content.page.updated usr_ben',
    'content.page.published usr_ada',
  ])
})
