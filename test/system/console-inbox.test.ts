/** The support inbox of the console, with the page on which members contact support. */
import test from 'ava'
import type { Locator, Page, Route } from 'playwright-core'
import type { Person } from '../../testing/index.ts'
import { type People, peopleOf } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { checkScreen, type OwnConsole, openFromNavigation, shareOwnConsole, waitForScreen } from './console-fixtures.ts'

const MODULES = { platform: {}, messaging: { support: 'workspace' } }
const ROLES = {
  'tenant.support': { name: 'Support', permissions: ['support.*', 'messaging.*'] },
  'tenant.viewer': { name: 'Viewer', permissions: ['support.inbox.read'] },
  'tenant.editor': { name: 'Editor', permissions: ['messaging.*', 'identity.member.read'] },
}
const start = shareOwnConsole(test, MODULES, { roles: ROLES })
const people = new WeakMap<OwnConsole, People>()
/** A new member of the owner's workspace. */
async function join(console: OwnConsole, role: string, name: string): Promise<Person> {
  const known = people.get(console) ?? peopleOf(console.kernel)
  people.set(console, known)
  return (await known.colleague(console.ada, [role], name)) as unknown as Person
}
const ask = async (person: Person, subject: string, body: string): Promise<string> => {
  const { id } = (await person.post('/v1/messaging/conversations', { kind: 'support', subject, participantIds: [] }))
    .body
  await person.post(`/v1/messaging/conversations/${id}/messages`, { body })
  return id
}
/** Rows of the list of conversations, the newest first. */
const EXPECTED = [
  'Help me | Support | now | You: It is broken',
  'Mia Berg | now | Mia Berg: Are you <b>there</b>? | 2 unread',
  'Mistake | now | Tom Fox | Tom Fox: This message was deleted.',
  'Former member | now | You: Are you leaving?',
  'Former member | now | Former member: Goodbye | 1 unread',
  'Invoice | Resolved | now | Tom Fox | No messages yet.',
  `Tea <b>x</b> …| now | Mia Berg, Tom Fox, Lee ${'Lang'.repeat(20)} | You: Who comes?`,
  'Notes to yourself | now | No messages yet.',
]
const row = (page: Page, subject: string) => page.locator('.inbox-list li', { hasText: subject })
const thread = (page: Page) => page.locator('.inbox-messages')
const answerIn = (page: Page) => page.getByLabel('Answer', { exact: true })
const hasValue = (field: Locator, value: string) =>
  waitFor(
    () => field.inputValue(),
    actual => actual === value,
  )

test.serial('a member asks, a support member takes it, answers with a saved reply and resolves it, live', async t => {
  const console = await start(t)
  const { url, open, problems } = console
  const [mia, sam, tom] = [
    await join(console, 'tenant.editor', 'Mia Berg'),
    await join(console, 'tenant.support', 'Sam Lee'),
    await join(console, 'tenant.support', 'Tom Fox'),
  ]
  const first = await open(sam, '/messaging/inbox')
  await first.getByRole('heading', { name: 'Nothing to answer' }).waitFor()
  const found = await checkScreen(first, 'inbox-empty')
  const second = await open(tom, '/messaging/inbox')

  const member = await open(mia, '')
  await member.goto(`${url}/messages?workspace=${mia.tenantId}`)
  await member.getByRole('link', { name: 'Contact support' }).click()
  await member.getByLabel('Subject').waitFor()
  found.push(...(await checkScreen(member, 'contact-support')))
  await member.getByLabel('Subject').fill('Invoice <b>of May</b>')
  await member.getByLabel('Message').fill('I was charged twice.\nCan you help?')
  await member.getByRole('button', { name: 'Send' }).click()
  await member.locator('.message', { hasText: 'I was charged twice.' }).waitFor()

  // Both lists show it without a reload.
  await row(second, 'Invoice <b>of May</b>').waitFor()
  await row(first, 'Invoice <b>of May</b>').click()
  await thread(first).getByText('Can you help?').waitFor()
  await first.getByRole('button', { name: 'Assign to me' }).waitFor()
  await first.keyboard.press('h')
  await first.getByRole('menuitem', { name: 'For one hour' }).waitFor()
  await first.keyboard.press('Escape')
  await first.getByRole('menuitem').first().waitFor({ state: 'detached' })
  await first.keyboard.press('i')
  await first.getByText('Assigned to Sam Lee.').waitFor()
  await row(second, 'Invoice').getByRole('img', { name: 'Assignee: Sam Lee' }).waitFor()
  await second.getByRole('button', { name: 'Unassigned' }).click()
  await second.getByRole('heading', { name: 'Everything is assigned' }).waitFor()

  await sam.post('/v1/messaging/saved-replies', {
    title: 'Refund',
    shortcut: 'refund',
    body: 'Hello {name}, you get your money back. {agent}',
  })
  await first.reload()
  const answer = answerIn(first)
  await answer.pressSequentially('/ref')
  await first.getByRole('option', { name: /Refund/ }).waitFor()
  found.push(...(await checkScreen(first, 'inbox-reply')))
  await answer.press('Enter')
  await hasValue(answer, 'Hello Mia Berg, you get your money back. Sam Lee')
  await answer.press('Control+Enter')
  await thread(first).getByText('you get your money back').waitFor()
  await hasValue(answer, '')
  await member
    .locator('.message', { hasText: 'you get your money back' })
    .getByText('Sam Lee', { exact: true })
    .waitFor()

  await first.getByRole('button', { name: 'Resolve', exact: true }).click()
  await first.getByText('Conversation resolved.').waitFor()
  await row(first, 'Invoice').waitFor({ state: 'detached' })
  await second.getByRole('button', { name: 'Resolved' }).click()
  await row(second, 'Invoice').click()
  await thread(second).getByText('you get your money back').waitFor()
  await member.getByLabel('Message').last().fill('Thank you!')
  await member.getByRole('button', { name: 'Send' }).click()
  await thread(second).getByText('Thank you!').waitFor()
  await row(second, 'Invoice').waitFor({ state: 'detached' })
  await row(first, 'Invoice').waitFor()
  t.deepEqual([...found, ...problems], [])
})

test.serial('shows older messages although a message arrives while they load', async t => {
  const console = await start(t)
  const mia = await join(console, 'tenant.editor', 'Mia Berg')
  const id = await ask(mia, 'Long', 'The first message')
  const say = (body: string) => mia.post(`/v1/messaging/conversations/${id}/messages`, { body })
  for (let n = 1; n <= 50; n++) await say(`Message ${n}`)
  const page = await console.open(console.ada, `/messaging/inbox?id=${id}`)
  await thread(page).getByText('Message 50', { exact: true }).waitFor()
  const interrupt = async (route: Route) => {
    await say('Message 51')
    await thread(page).getByText('Message 51', { exact: true }).waitFor()
    // The request may be canceled by now.
    await route.continue().catch(() => {})
  }
  let interruption: Promise<void> | undefined
  const startInterruption = (route: Route) => {
    interruption = interrupt(route)
    return interruption
  }
  await page.route(/messages\?.*cursor=/, startInterruption, { times: 1 })
  await page.getByRole('button', { name: 'Older messages' }).click()
  await thread(page).getByText('The first message').waitFor()
  await interruption
  t.is(await thread(page).getByRole('article').count(), 52)
})

test.serial(
  'is used by keyboard, keeps unsent answers, snoozes, searches, and follows the URL, in German too',
  async t => {
    const console = await start(t)
    const { open, ada, kernel, problems } = console
    const mia = await join(console, 'tenant.editor', 'Mia Berg')
    const ids = []
    for (const subject of ['Oldest', 'Middle', 'Newest']) ids.push(await ask(mia, subject, `About the ${subject}`))
    const page = await open(ada, '/messaging/inbox')
    await row(page, 'Newest').waitFor()
    await page.keyboard.press('j')
    await thread(page).getByText('About the Newest').waitFor()
    await page.keyboard.press('j')
    await thread(page).getByText('About the Middle').waitFor()
    await waitForScreen(page)
    const found = await checkScreen(page, 'inbox')
    await page.keyboard.press('r')
    await answerIn(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Not yet sent, je')
    await page.keyboard.press('Tab')
    await page.locator('h1').click()
    await page.keyboard.press('k')
    await thread(page).getByText('About the Newest').waitFor()
    await hasValue(answerIn(page), '')
    await page.keyboard.press('e')
    await row(page, 'Newest').waitFor({ state: 'detached' })
    await thread(page).getByText('About the Middle').waitFor()
    await hasValue(answerIn(page), 'Not yet sent, je')
    await page.waitForURL(new RegExp(`id=${ids[1]}`))

    let release = (): void => undefined
    const isReleased = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/\/v1\/messaging\/inbox\?/, async route => {
      await isReleased
      await route.continue()
    })
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Until Monday/ }).click()
    await page.getByText('Conversation snoozed.').waitFor()
    // The view that is chosen before the list has changed stays.
    await page.getByRole('button', { name: 'Snoozed' }).click()
    release()
    await row(page, 'Middle').click()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByText(/^Snoozed until/).waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('Conversation reopened.').waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await row(page, 'Middle').waitFor()
    await page.getByLabel('Search conversations').fill('about the old')
    await page.waitForURL(/q=about/)
    await row(page, 'Middle').waitFor({ state: 'detached' })
    await row(page, 'Oldest').click()
    await page.waitForURL(new RegExp(`id=${ids[0]}`))
    await page.reload()
    await thread(page).getByText('About the Oldest').waitFor()
    await row(page, 'Oldest').waitFor()
    t.is(await row(page, 'Middle').count(), 0)

    for (let n = 1; n <= 60; n++)
      await mia.post(`/v1/messaging/conversations/${ids[0]}/messages`, { body: `Line ${n} ${'x'.repeat(n)}` })
    await thread(page)
      .getByText(/^Line 60 /)
      .waitFor()
    await kernel.settled()
    await waitForScreen(page)
    await page.getByRole('button', { name: 'Older messages' }).click()
    await thread(page).getByText('About the Oldest').waitFor()
    t.is(
      await thread(page)
        .getByText(/^Line /)
        .count(),
      60,
    )

    await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
    await page.reload()
    await page.getByRole('button', { name: 'Abschließen', exact: true }).waitFor()
    found.push(...(await checkScreen(page, 'de-inbox')))
    // In a small window, the conversation covers the list.
    await page.setViewportSize({ width: 390, height: 860 })
    await page.getByRole('button', { name: 'Alle Unterhaltungen' }).click()
    await row(page, 'Oldest').waitFor()
    found.push(...(await checkScreen(page, 'de-inbox-list')))
    t.deepEqual([...found, ...problems], [])
  },
)

test.serial('a support member creates, finds, edits and deletes a saved reply', async t => {
  const console = await start(t)
  const sam = await join(console, 'tenant.support', 'Sam Lee')
  const page = await console.open(sam, '/messaging/saved-replies')
  await page
    .getByRole('link', { name: /^New saved reply/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: /^Title/ }).fill('Greeting <b>')
  await page.getByRole('textbox', { name: /^Shortcut/ }).fill('hello')
  await page.getByRole('textbox', { name: /^Body/ }).fill('Hello {name}')
  await page.getByRole('button', { name: /^Create/ }).click()
  await page.getByRole('heading', { name: 'Greeting <b>' }).waitFor()
  const found = await checkScreen(page, 'saved-reply')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: /^Shortcut/ }).fill('hi')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('main').getByText('hi', { exact: true }).waitFor()
  await openFromNavigation(page, 'Saved replies')
  await page.getByRole('row', { name: /Greeting/ }).waitFor()
  found.push(...(await checkScreen(page, 'saved-replies')))
  await page.getByRole('link', { name: 'Greeting <b>' }).click()
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Greeting <b> deleted.').waitFor()
  t.deepEqual((await sam.get('/v1/messaging/saved-replies')).body.data, [])
  t.deepEqual([...found, ...console.problems], [])
})

/** The texts of the rows in the list of conversations. */
const conversationTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.conversation-list li')].map(each => {
    const texts = [...each.querySelectorAll('strong, .badge, time, .conversation-people, .inbox-row-text > span:first-child')]
    return texts.map(({ textContent }) => textContent).join(' | ')
  })`)

test.serial('lists conversations with their people, the last message, when it was, and what is unread', async t => {
  const console = await start(t)
  const { ada, open, problems, url } = console
  const [mia, tom, eve] = [
    await join(console, 'tenant.editor', 'Mia Berg'),
    await join(console, 'tenant.editor', 'Tom Fox'),
    await join(console, 'tenant.editor', 'Eve Ott'),
  ]
  const lee = await join(console, 'tenant.editor', `Lee ${'Lang'.repeat(20)}`)
  const page = await open(ada, '/messaging/conversations')
  await page.getByRole('heading', { name: 'No conversations yet' }).waitFor()
  const found = await checkScreen(page, 'conversations-empty')

  const talk = async (others: readonly Person[], subject?: string): Promise<string> => {
    const participantIds = others.map(({ userId }) => userId)
    return (await ada.post('/v1/messaging/conversations', { participantIds, ...(subject && { subject }) })).body.id
  }
  const say = (person: Person, id: string, body: string) =>
    person.post<{ id: string }>(`/v1/messaging/conversations/${id}/messages`, { body })
  await talk([])
  const group = await talk([mia, tom, eve, lee], `Tea <b>x</b> ${'and cake '.repeat(20)}`)
  await say(ada, group, 'Who comes?')
  const resolved = await talk([tom], 'Invoice')
  await ada.patch(`/v1/messaging/conversations/${resolved}`, { status: 'resolved' })
  const gone = await talk([eve])
  await say(eve, gone, 'Goodbye')
  const asked = await eve.post<{ id: string }>('/v1/messaging/conversations', { participantIds: [ada.userId] })
  await say(ada, asked.body.id, 'Are you leaving?')
  const deleted = await talk([tom], 'Mistake')
  const mistake = await say(tom, deleted, 'Oops')
  await tom.delete(`/v1/messaging/conversations/${deleted}/messages/${mistake.body.id}`)
  const chat = await talk([mia])
  await say(mia, chat, 'Hello')
  await say(mia, chat, 'Are you <b>there</b>?')
  await ask(ada, 'Help me', 'It is broken')
  const { body: members } = await ada.get<{ data: { id: string; userId: string }[] }>('/v1/identity/members')
  const member = members.data.find(({ userId }) => userId === eve.userId)
  t.is((await ada.delete(`/v1/identity/members/${member?.id}`)).status, 204)
  await console.kernel.settled()

  await page.reload()
  await page.getByRole('list', { name: 'Conversations' }).getByText('Mia Berg', { exact: true }).first().waitFor()
  await waitForScreen(page)
  t.deepEqual(
    (await conversationTexts(page)).map(text => text.replace(/(and cake )+/, '…')),
    EXPECTED,
  )
  found.push(...(await checkScreen(page, 'conversations')))
  await page.getByLabel('Status').selectOption('Resolved')
  await page.getByText('2 unread').waitFor({ state: 'detached' })
  t.is((await conversationTexts(page)).length, 1)

  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.goto(`${url}/console/messaging/conversations`)
  await page.getByText('2 ungelesen').waitFor()
  found.push(...(await checkScreen(page, 'de-conversations')))
  await page.getByRole('link', { name: /Are you <b>there/ }).click()
  await page.waitForURL(`**/messaging/conversations/${chat}`)
  // A number is no message.
  await page
    .getByRole('term')
    .filter({ hasText: /^Nachrichten$/ })
    .waitFor()
  found.push(...(await checkScreen(page, 'de-conversation')))
  t.deepEqual([...found, ...problems], [])
})

test.serial('offers each role what it may do', async t => {
  const console = await start(t)
  const { ada, open } = console
  const mia = await join(console, 'tenant.editor', 'Mia Berg')
  const id = await ask(mia, 'Help', 'Help me')
  const expected: Readonly<Record<string, readonly string[]>> = {
    owner: ['Inbox', 'Answer', 'Resolve', 'New saved reply'],
    'tenant.support': ['Inbox', 'Answer', 'Resolve', 'New saved reply'],
    'tenant.viewer': ['Inbox'],
    'tenant.editor': [],
    'tenant.member': [],
  }
  for (const [name, parts] of Object.entries(expected)) {
    const person = name === 'owner' ? ada : await join(console, name, name)
    const page = await open(person, `/messaging/inbox?id=${id}`)
    await page.locator('.inbox-bubble, .inbox-thread .empty').first().waitFor()
    await waitForScreen(page)
    const links = page.getByRole('navigation').getByRole('link', { name: 'Support inbox' })
    const shown = {
      Inbox: await links.count(),
      Answer: await answerIn(page).count(),
      Resolve: await page.getByRole('button', { name: 'Resolve', exact: true }).count(),
      'New saved reply': 0,
    }
    await page.goto(`${console.url}/console/messaging/saved-replies`)
    await page.locator('.table-scroll, .empty').first().waitFor()
    await waitForScreen(page)
    shown['New saved reply'] = await page.getByRole('link', { name: /^New saved reply/ }).count()
    t.deepEqual(
      Object.entries(shown).flatMap(([part, count]) => (count > 0 ? [part] : [])),
      parts,
      name,
    )
    await page.context().close()
  }
})
