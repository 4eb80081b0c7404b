/** A question of an automation, from the row that asks it to the row that its answer changes. */
import test from 'ava'
import { peopleOf } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { checkScreen, startOwnConsole } from './console-fixtures.ts'
import { type CleansUp, openBrowser } from './fixtures.ts'
import { signIn } from './site-fixtures.ts'

const READS = ['collections.tickets.read', 'messaging.conversation.read']
const RECIPE = {
  roles: {
    'tenant.agent': { name: 'Agent', permissions: ['collections.tickets.read', 'collections.tickets.create'] },
    'tenant.manager': { name: 'Manager', permissions: READS },
  },
  collections: {
    tickets: {
      title: { en: 'Tickets', de: 'Tickets' },
      label: { en: 'Ticket', de: 'Ticket' },
      fields: {
        subject: { type: 'text', required: true, label: { en: 'Subject', de: 'Betreff' } },
        state: { type: 'enum', values: ['new', 'approved', 'rejected'], default: 'new', write: ['tenant.manager'] },
      },
    },
  },
  automations: {
    decide: {
      on: 'collections.tickets.created',
      steps: [
        {
          ask: {
            role: 'tenant.manager',
            text: { en: 'Accept the ticket “{{row.subject}}”?', de: 'Das Ticket „{{row.subject}}“ annehmen?' },
            choices: ['approve', 'reject'],
          },
          as: 'answer',
        },
        {
          'collections.update': { row: '$row', set: { state: 'approved' } },
          when: { 'steps.answer.choice': 'approve' },
        },
        {
          'collections.update': { row: '$row', set: { state: 'rejected' } },
          when: { 'steps.answer.choice': 'reject' },
        },
      ],
    },
  },
}

async function start(t: CleansUp) {
  const own = await startOwnConsole(t, { collections: {}, automations: {}, messaging: {} }, RECIPE)
  const people = peopleOf(own.kernel)
  const agent = await people.colleague(own.ada, ['tenant.agent'], 'Aaron Agent')
  const mia = await people.colleague(own.ada, ['tenant.manager'], 'Mia Manager')
  const max = await people.colleague(own.ada, ['tenant.manager'], 'Max Manager')
  const browser = await openBrowser(t)
  const signedIn = async (email: string) => signIn(await browser.newContext({ locale: 'en' }), own.url, email)
  return { ...own, agent, mia, max, signedIn }
}

test('a manager answers in the inbox what a ticket asks, and the ticket changes', async t => {
  const { url, kernel, ada, agent, mia, max, open, signedIn, problems } = await start(t)
  const tickets = await open(agent, '/collections/tickets/new')
  await tickets.getByRole('textbox', { name: 'Subject' }).fill('Printer')
  await tickets
    .getByRole('button', { name: /Create|Save/ })
    .first()
    .click()
  await tickets.getByRole('heading', { name: 'Printer', level: 1 }).waitFor()
  await kernel.settled()

  const inbox = await signedIn(mia.email)
  await inbox.goto(`${url}/messages?workspace=${ada.tenantId}`)
  const notices = inbox.locator('main').getByRole('link', { name: /Acme/ }).first()
  await notices.click()
  await inbox.getByText('Accept the ticket “Printer”?').waitFor()
  const found = await checkScreen(inbox, 'questions-inbox')
  await inbox.getByRole('button', { name: 'Approve' }).click()
  await inbox.getByText('You answered: Approve').waitFor()
  found.push(...(await checkScreen(inbox, 'questions-answered')))
  await kernel.settled()

  await tickets.reload()
  await tickets.getByText('Approved').first().waitFor()

  const late = await signedIn(max.email)
  await late.setExtraHTTPHeaders({ 'accept-language': 'de' })
  await late.goto(`${url}/messages?workspace=${ada.tenantId}`)
  await late.locator('main').getByRole('link', { name: /Acme/ }).first().click()
  await late.getByRole('button', { name: 'Genehmigen' }).waitFor()
  found.push(...(await checkScreen(late, 'questions-inbox-de')))
  await late.getByRole('button', { name: 'Ablehnen' }).click()
  await late.getByText('Mia Manager').waitFor()
  found.push(...(await checkScreen(late, 'questions-late-de')))
  const { body } = await ada.get<{ data: { state: string }[] }>('/v1/data/tickets')
  t.deepEqual(
    body.data.map(({ state }) => state),
    ['approved'],
  )
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

test('a manager follows the link of the email, and answers on its page', async t => {
  const { kernel, url, ada, agent, max, signedIn } = await start(t)
  await agent.post('/v1/data/tickets', { subject: 'Scanner' })
  await kernel.settled()
  const operator = await peopleOf(kernel).operator()
  const { body: mails } = await operator.get<{ data: { id: string; to: string; subject: string }[] }>(
    '/v1/communications/mailbox?limit=200',
  )
  const mail = mails.data.find(({ to, subject }) => to === max.email && subject.includes('Scanner'))
  const { body } = await operator.get<{ text: string }>(`/v1/communications/mailbox/${mail?.id}`)
  const link = /http[^\s)\]>]+\/questions\/[^\s)\]>]+/.exec(body.text)?.[0] ?? ''
  t.true(link.startsWith(url))
  const page = await signedIn(max.email)
  await page.goto(link)
  await page.getByText('Accept the ticket “Scanner”?').waitFor()
  const found = await checkScreen(page, 'questions-page')
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('You answered: Reject').waitFor()
  await waitFor(async () => {
    const { body: rows } = await ada.get<{ data: { state: string }[] }>('/v1/data/tickets')
    return rows.data.some(({ state }) => state === 'rejected')
  })
  t.deepEqual(found, [])
})
