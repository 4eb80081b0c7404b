/** Fills a product with data in every module, through its API. */
import { randomUUID } from 'node:crypto'
import { linkToken } from '../../modules/identity/domain/links.ts'
import { type Client, type Person, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { type Colleague, expectStatus, type People, peopleOf } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { ended, send } from '../modules/collections/imports/fixtures.ts'
import { pngFile } from '../modules/media/files.ts'
import { startReceiver } from '../modules/webhooks/receiver.ts'

/** What a later version needs to read the data as the same people. */
export interface Seeded {
  readonly password: string
  readonly ownerEmail: string
  readonly operatorEmail: string
  readonly tenantId: string
  readonly operatorTenantId: string
  /** The tokens belong to logins and an API key from before the update. */
  readonly ownerToken: string
  readonly memberToken: string
  readonly apiKey: string
  readonly invitationToken: string
  readonly joinToken: string
  readonly pageId: string
  readonly mediaId: string
  readonly formId: string
  readonly conversationId: string
  readonly sessionId: string
  readonly streamId: string
  readonly courseId: string
}

interface Made {
  readonly id: string
}
interface Owner extends Client {
  readonly email: string
  readonly userId: string
  readonly tenantId: string
  readonly token: string
}

/** All events and jobs are done when it returns. */
export async function seed(kernel: TestKernel): Promise<Seeded> {
  const receiver = await startReceiver(
    ({ path }, response) => void response.writeHead(path === '/ok' ? 204 : 500).end(),
  )
  try {
    const people = peopleOf(kernel)
    const operator = await people.operator()
    const owner = await confirmed(
      kernel,
      await kernel.register('ada@example.test', { name: 'Ada', workspaceName: 'Engines' }),
    )
    await kernel.register('grace@example.test', { name: 'Grace', workspaceName: 'Compilers', locale: 'de' })
    await addWebhooks(owner, receiver.url)
    await addBilling(owner)
    const { member, memberId, apiKey, invitationToken } = await addIdentity(people, owner)
    const mediaId = await addMedia(kernel, owner)
    const pageId = await addContent(owner, mediaId)
    const formId = await addForms(kernel, owner)
    await addFeatures(owner, operator)
    await addMails(owner, operator)
    const conversationId = await addMessages(owner, member, operator)
    const streams = await addStreams(kernel, owner, `${receiver.url}/ok`)
    const courseId = await addRows(kernel, owner, memberId, mediaId)
    await kernel.settled()
    await everyDeliveryTried(owner)
    return {
      password: TEST_PASSWORD,
      ownerEmail: owner.email,
      operatorEmail: await emailOf(operator),
      tenantId: owner.tenantId,
      operatorTenantId: kernel.kernel.ports.operator.tenantId,
      ownerToken: owner.token,
      memberToken: member.token,
      apiKey,
      invitationToken,
      pageId,
      mediaId,
      formId,
      conversationId,
      courseId,
      ...streams,
    }
  } finally {
    await receiver.close()
  }
}

/** Leaves events, deliveries and jobs that wait. The kernel must have the role `web`. */
export async function addPending(kernel: TestKernel, { ownerToken, tenantId, formId }: Seeded): Promise<void> {
  const owner = kernel.as(ownerToken, tenantId)
  await made(owner, '/v1/content/pages', { slug: 'pending', title: 'Written before the update', body: 'Text' })
  await made(kernel, `/v1/forms/${formId}/submit`, { data: { email: 'late@example.test', message: 'Pending' } })
  await made(owner, '/v1/identity/members/invite', { email: 'pending@example.test', roles: ['tenant.user'] })
}

/** With idempotency keys, which some routes require and all store. */
async function made(client: Client, path: string, body?: object): Promise<Made> {
  const answer = await client.post<Made>(path, body, { headers: { 'idempotency-key': randomUUID() } })
  if (answer.status > 204) throw new Error(`POST ${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Earlier versions ended the logins from before. */
async function confirmed(kernel: TestKernel, person: Person): Promise<Owner> {
  const { userId, email, tenantId } = person
  const token = linkToken(kernel.kernel.ports.secrets, 'verify_email', { id: userId, version: 1 })
  expectStatus(200, await person.post('/v1/auth/verify-email', { token }))
  const login = await kernel.post('/v1/auth/login', { email, password: TEST_PASSWORD })
  return { ...kernel.as(login.body.token, tenantId), userId, email, tenantId, token: login.body.token }
}

const emailOf = async (client: Client) => (await client.get('/v1/me')).body.user.email

async function addWebhooks(owner: Owner, url: string): Promise<void> {
  await made(owner, '/v1/webhooks/endpoints', { url: `${url}/ok`, events: ['*'], description: 'Takes everything' })
  await made(owner, '/v1/webhooks/endpoints', { url: `${url}/down`, events: ['content.page.published'] })
  const { id } = await made(owner, '/v1/webhooks/endpoints', {
    url: `${url}/idle`,
    events: ['forms.*'],
  })
  await made(owner, `/v1/webhooks/endpoints/${id}/pause`)
}

async function everyDeliveryTried(owner: Owner): Promise<void> {
  const deliveries = () => owner.get('/v1/webhooks/deliveries?limit=200').then(({ body }) => body.data)
  await waitFor(
    deliveries,
    list => list.length > 2 && list.every(({ status, attempt_count }) => status !== 'pending' || attempt_count > 0),
  )
}

async function addBilling(owner: Owner): Promise<void> {
  await made(owner, '/v1/billing/checkout', { planKey: 'pro' })
  await made(owner, '/v1/billing/credits/consume', {
    key: 'ai.credits',
    amount: 7,
    reason: 'Image generation',
    reference: 'image-7',
  })
  await made(owner, '/v1/billing/entitlements/comms.send/check', { amount: 1 })
}

async function addIdentity(people: People, owner: Owner) {
  await made(owner, '/v1/identity/roles', { key: 'custom.editor', name: 'Editor', permissions: ['content.page.*'] })
  const member: Colleague = await people.colleague(owner, ['tenant.user', 'custom.editor'], 'Ben')
  const { body } = await owner.post<{ link: string }>('/v1/identity/members/invite', {
    email: 'guest@example.test',
    roles: ['tenant.user'],
    sendEmail: false,
  })
  const { key } = (await made(owner, '/v1/identity/api-keys', {
    name: 'Reports',
    permissions: ['content.page.read'],
    expiresAt: '2099-01-01T00:00:00Z',
  })) as Made & { key: string }
  await made(owner, '/v1/identity/tenants', { name: 'Second workspace' })
  await made(owner, '/v1/auth/email/change', { email: 'ada.new@example.test', password: TEST_PASSWORD })
  await made(member, '/v1/auth/password/forgot', { email: member.email })
  const members = await owner.get<{ data: { id: string; userId: string }[] }>('/v1/identity/members')
  const memberId = members.body.data.find(({ userId }) => userId === member.userId)?.id ?? ''
  return { member, memberId, apiKey: key, invitationToken: new URL(body.link).searchParams.get('token') ?? '' }
}

async function addContent(owner: Owner, image: string): Promise<string> {
  const { id } = await made(owner, '/v1/content/pages', {
    slug: 'engine',
    title: 'The engine',
    body: 'It *weaves*.',
    seo: { description: 'About the engine' },
  })
  await made(owner, `/v1/content/pages/${id}/publish`)
  expectStatus(200, await owner.patch(`/v1/content/pages/${id}`, { title: 'The analytical engine' }))
  expectStatus(
    200,
    await owner.patch(`/v1/content/pages/${id}`, {
      body: `It **weaves** numbers.\n\n![The engine](/media/${image}/preview)`,
    }),
  )
  await made(owner, '/v1/content/pages', {
    slug: 'later',
    title: 'Later',
    body: 'Text',
    publishAt: '2099-01-01T00:00:00Z',
  })
  await made(owner, '/v1/content/redirects', { from: '/old', to: '/engine', status: 301 })
  expectStatus(200, await owner.put('/v1/content/navigation/main', { items: [{ label: 'Engine', path: '/engine' }] }))
  return id
}

async function addMedia(kernel: TestKernel, owner: Owner): Promise<string> {
  const { name, type, bytes } = await pngFile('engine.png')
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const headers = { authorization: `Bearer ${owner.token}`, 'x-tenant-id': owner.tenantId }
  const response = await fetch(`${kernel.url}/v1/media`, { method: 'POST', headers, body: form })
  const { id, status } = (await response.json()) as { id: string; status: string }
  if (response.status !== 201) throw new Error(`the upload was answered ${response.status} ${status}`)
  await waitFor(
    () => owner.get(`/v1/media/${id}`).then(({ body }) => body.status),
    state => state === 'ready',
  )
  expectStatus(200, await owner.patch(`/v1/media/${id}`, { folder: 'Drawings/1843' }))
  await made(owner, `/v1/media/${id}/publish`)
  await made(owner, '/v1/media/upload-intent', { fileName: 'never-sent.pdf', mimeType: 'application/pdf', size: 9 })
  return id
}

async function addForms(kernel: TestKernel, owner: Owner): Promise<string> {
  const schema = {
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email' }, message: { type: 'string' } },
  }
  const { id } = await made(owner, '/v1/forms', {
    name: 'Newsletter',
    access: 'public',
    schema,
    notify: ['team@example.test'],
  })
  expectStatus(200, await owner.patch(`/v1/forms/${id}`, { name: 'Weekly newsletter' }))
  for (const name of ['mary', 'charles', 'george'])
    await made(kernel, `/v1/forms/${id}/submit`, {
      data: { email: `${name}@example.test`, message: `Hello from ${name}` },
    })
  const { body } = await owner.get(`/v1/forms/${id}/submissions`)
  expectStatus(
    200,
    await owner.patch(`/v1/forms/${id}/submissions/${body.data[0]?.id}`, { spam: true, note: 'Called back' }),
  )
  return id
}

async function addFeatures(owner: Owner, operator: Client): Promise<void> {
  await made(owner, '/v1/features', {
    key: 'dark-mode',
    name: 'Dark mode',
    default: false,
    rules: [{ when: { country: { in: ['DE', 'AT'] } }, value: true }],
  })
  expectStatus(200, await owner.patch('/v1/features/dark-mode', { description: 'For late hours' }))
  expectStatus(200, await operator.put('/v1/features/new-editor/override', { value: true, tenantId: owner.tenantId }))
}

async function addMails(owner: Owner, operator: Client): Promise<void> {
  await made(owner, '/v1/communications/messages', {
    templateKey: 'comms.test',
    to: 'ada@example.test',
    data: { note: 'Hello' },
  })
  await made(owner, '/v1/communications/suppression', {
    email: 'bounced@example.test',
    category: 'marketing',
    reason: 'asked by phone',
  })
  await made(owner, '/v1/communications/messages', {
    templateKey: 'comms.test',
    to: 'bounced@example.test',
    data: { note: 'Hello' },
  })
  expectStatus(
    201,
    await operator.put('/v1/communications/templates/comms.test', { subject: 'Our test', html: '<p>{{note}}</p>' }),
  )
}

async function addMessages(owner: Owner, member: Colleague, operator: Client): Promise<string> {
  const { id } = await made(owner, '/v1/messaging/conversations', { subject: 'Cards', participantIds: [member.userId] })
  const path = `/v1/messaging/conversations/${id}`
  await made(owner, `${path}/messages`, { body: 'Are the cards punched?', clientMessageId: 'first' })
  const answer = await made(member, `${path}/messages`, { body: 'Al of them' })
  expectStatus(200, await member.patch(`${path}/messages/${answer.id}`, { body: 'All of them' }))
  expectStatus(200, await owner.put(`${path}/read`, { seq: 1 }))
  const support = await made(owner, '/v1/messaging/conversations', {
    kind: 'support',
    subject: 'Help',
    participantIds: [],
  })
  await made(owner, `/v1/messaging/conversations/${support.id}/messages`, { body: 'The mill is stuck' })
  await made(owner, '/v1/console/views', { list: 'content.pages', name: 'Drafts', state: { q: 'oil' } })
  await made(owner, '/v1/messaging/saved-replies', { title: 'Oil', body: 'Hello {name}, oil it.', shortcut: 'oil' })
  await made(operator, `/v1/messaging/inbox/${support.id}/messages`, { body: 'Oil it' })
  return id
}

async function addStreams(kernel: TestKernel, owner: Owner, webhook: string) {
  const session = { mode: 'screenshare', customer: 'cus_42', metadata: { ticket: '4711' }, webhook_url: webhook }
  const { id: sessionId, join_token } = (await made(owner, '/v1/sessions', session)) as Made & { join_token: string }
  await made(kernel, `/v1/sessions/${sessionId}/accept`, { join_token })
  const ended = await made(owner, '/v1/sessions', { mode: 'screenshare' })
  await made(owner, `/v1/sessions/${ended.id}/end`)
  const { id: streamId } = await made(owner, '/v1/streams', {
    title: 'Launch',
    visibility: 'public',
    tags: ['product'],
  })
  const path = `/v1/streams/${streamId}`
  await made(owner, `${path}/sources`, {
    source_id: 'cam',
    kind: 'camera',
    label: 'Stage',
    width: 1280,
    height: 720,
    fps: 30,
  })
  await made(owner, `${path}/layout`, {
    kind: 'focus',
    slots: [{ source_id: 'cam', order: 0 }],
    focus_source_id: 'cam',
  })
  await made(owner, `${path}/tokens`, { role: 'viewer', ttl_seconds: 3600, label: 'Guests' })
  return { sessionId, streamId, joinToken: join_token }
}

async function addRows(kernel: TestKernel, owner: Owner, teacher: string, cover: string): Promise<string> {
  const [category] = (await owner.get<{ data: Made[] }>('/v1/data/categories')).body.data
  const course = {
    title: 'Weaving numbers',
    summary: 'From *cards* to tables',
    level: 'advanced',
    contact: 'ada@example.test',
    link: 'https://example.com/',
    seats: 12,
    rating: 4.5,
    price: 4900,
    firstDay: '2027-01-11',
    startsAt: '2027-01-11T18:00:00Z',
    length: '90m',
    published: true,
    outline: ['Cards', 'Mill'],
    cover,
    teacher,
    category: category?.id,
  }
  const { id } = await made(owner, '/v1/data/courses', course)
  expectStatus(200, await owner.patch(`/v1/data/courses/${id}`, { seats: 14 }))
  for (const title of ['Difference engines', 'Notes on notes', 'Deleted course'])
    await made(owner, '/v1/data/courses', { title, seats: title.length })
  const { body } = await owner.get<{ data: Made[] }>('/v1/data/courses?filter[title]=Deleted%20course')
  expectStatus(204, await owner.delete(`/v1/data/courses/${body.data[0]?.id}`))
  // The last row has an error.
  const file = 'title,seats\nImported course,3\n,4\n'
  const imported = expectStatus(202, await send({ ...owner, url: kernel.url }, 'courses/imports?onError=skip', file))
  await ended(owner, 'courses', imported.id)
  await made(owner, '/v1/data/courses/exports', {})
  return id
}
