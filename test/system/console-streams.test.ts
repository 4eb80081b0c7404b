/** Screens of the console for sessions and streams. */
import test from 'ava'
import type { Person } from '../../testing/index.ts'
import { colleague, role } from '../modules/identity/fixtures.ts'
import { checkScreen, shareConsole, waitForScreen } from './console-fixtures.ts'

const MODULES = '  sessions: {}\n  streams: { edge: { secret: the secret of the edge, rtmpUrl: "rtmp://edge.test" } }\n'
const start = shareConsole(test, MODULES)

test.serial('an owner finds a stream, changes its layout, hands out a token and ends it', async t => {
  const { ada, open } = await start(t)
  const page = await open(ada, '/streams/streams/new')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Launch <b>day</b>')
  await page.getByRole('button', { name: /^Create/ }).click()
  await page.getByRole('heading', { name: /Launch <b>day<\/b>/ }).waitFor()
  const id = page.url().split('/').at(-1) ?? ''
  for (const source of ['stage', 'screen']) {
    const body = { source_id: source, kind: 'camera', label: `The ${source}`, width: 1280, height: 720 }
    t.is((await ada.post(`/v1/streams/${id}/sources`, body)).status, 201)
  }
  // The screen loads the state again by itself.
  await page.locator('.entries', { hasText: 'The stage' }).waitFor()
  await page.getByLabel('Arrangement').selectOption('focus')
  await page.getByLabel('Main source').selectOption({ label: 'The screen' })
  await page.getByRole('button', { name: 'Save layout' }).click()
  await page.getByText('The layout was saved.').waitFor()
  t.like((await ada.get(`/v1/streams/${id}/layout`)).body, { kind: 'focus', focus_source_id: 'screen' })

  // Where OBS and encoders publish.
  await page.getByText(`http://localhost:8889/live/${id}/whip`).waitFor()
  await page.getByText(`rtmp://edge.test/live/${id}?join_token=TOKEN`).waitFor()
  await page.getByLabel('Label').fill('Guests')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('Copy the token now.').waitFor()
  t.regex((await page.locator('.shown-once code').textContent()) ?? '', /^st_/)
  await page.getByText('Guests').waitFor()
  const found = await checkScreen(page, 'stream')
  await page.getByRole('button', { name: 'Revoke: Guests' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No tokens yet.').waitFor()

  await page.getByRole('link', { name: 'Streams', exact: true }).first().click()
  await page
    .getByRole('row', { name: /Launch/ })
    .getByText('Waiting')
    .waitFor()
  found.push(...(await checkScreen(page, 'streams')))
  await page.getByRole('button', { name: /^Actions: / }).click()
  await page.getByRole('menuitem', { name: 'End session' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click()
  await page
    .getByRole('row', { name: /Launch/ })
    .getByText('Ended')
    .waitFor()
  await page.getByLabel('Status').selectOption({ label: 'In progress' })
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('row', { name: /Launch/ }).waitFor()
  t.deepEqual(found, [])
})

test.serial('an owner watches sessions live, rotates a join token and ends a session, in German too', async t => {
  const { ada, url, open } = await start(t)
  const page = await open(ada, '/sessions/sessions')
  await page.getByRole('heading', { name: /No sessions/i }).waitFor()
  const { body } = await ada.post<{ id: string; code: string }>('/v1/sessions', {
    mode: 'screenshare',
    customer: 'C-1',
    purpose: 'Support',
  })
  await page.getByRole('link', { name: body.code }).click()
  await page.getByRole('button', { name: 'New join token' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'New join token' }).click()
  await page.getByText('Copy the token now.').waitFor()
  t.regex((await page.locator('.shown-once code').textContent()) ?? '', /^jt_/)
  const found = await checkScreen(page, 'session')
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.goto(`${url}/console/sessions/sessions`)
  await page.getByText('Wartend', { exact: true }).last().waitFor()
  found.push(...(await checkScreen(page, 'de-sessions')))
  await page.getByRole('link', { name: body.code }).click()
  await page.getByRole('button', { name: 'Beenden' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Beenden' }).click()
  await page.getByText('Ein Mitglied').waitFor()
  found.push(...(await checkScreen(page, 'de-session')))
  t.is(await page.getByRole('button', { name: 'Beenden' }).count(), 0)
  t.deepEqual(found, [])
})

test.serial('offers each role what it may do', async t => {
  const { ada, admin, kernel, open } = await start(t)
  const roles = {
    'team.editor': ['streams.stream.read', 'streams.stream.update'],
    'team.support': ['sessions.session.read', 'sessions.session.end', 'streams.stream.read'],
    'team.release_manager': ['identity.tenant.read'],
  }
  for (const [key, permissions] of Object.entries(roles)) await role(ada, key, permissions)
  const { body } = await ada.post('/v1/streams', { title: 'Launch' })
  await ada.post(`/v1/streams/${body.id}/sources`, { source_id: 'stage', kind: 'camera' })
  const expected: Readonly<Record<string, readonly string[]>> = {
    owner: ['End', 'Layout', 'Tokens'],
    'tenant.member': [],
    'team.editor': ['Layout'],
    'team.support': ['End'],
    'team.release_manager': [],
  }
  const personOf = async (name: string): Promise<Person> =>
    name === 'owner' ? ada : { ...(await colleague(kernel, ada, [name])).person, tenantId: ada.tenantId }
  for (const [name, parts] of Object.entries(expected)) {
    const page = await open(await personOf(name), `/streams/streams/${body.id}`)
    await page.locator('.stream, .empty').first().waitFor()
    await waitForScreen(page)
    const shown = {
      End: await page.getByRole('button', { name: 'End' }).count(),
      Layout: await page.getByRole('heading', { name: 'Layout' }).count(),
      Tokens: await page.getByRole('heading', { name: 'Tokens' }).count(),
    }
    t.deepEqual(
      Object.entries(shown).flatMap(([part, count]) => (count > 0 ? [part] : [])),
      parts,
      name,
    )
    await page.context().close()
  }
  // The platform admin isn't a member of the workspace.
  const page = await open(admin, `/streams/streams/${body.id}`)
  await page.locator('.empty').waitFor()
  t.pass()
})
