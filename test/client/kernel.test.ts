/** A generated client calls a running product. */
import { fileURLToPath } from 'node:url'
import anyTest, { type TestFn } from 'ava'
import { WebSocket } from 'ws'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { createTestClock } from '../fixtures/clock.ts'
import { waitFor } from '../fixtures/wait.ts'
import { png } from '../modules/media/files.ts'
import { clientSource, type GeneratedModule, importSource } from './fixtures.ts'

interface Page {
  readonly id: string
  readonly slug: string
  readonly title: string
}
type Result = Promise<{ ok: boolean; data?: Page; error?: { code: string; errors: { pointer: string }[] } }>
type Call<T> = Promise<T> & { safe(): Result; withResponse(): Promise<{ data: T; response: { etag?: string } }> }

interface Client {
  readonly content: {
    readonly pages: {
      create(page: object): Call<Page>
      get(id: string): Call<Page>
      list(query?: object): Call<{ data: Page[]; nextCursor: string | null }>
      all(query?: object): AsyncIterable<Page>
      update(id: string, changes: object, options?: object): Call<Page>
    }
  }
  readonly me: { get(): Promise<{ tenant: { id: string } }> }
  readonly flags: {
    evaluate(key: string, context?: object): Promise<unknown>
    evaluateAll(context?: object): Promise<object>
  }
  readonly media: { upload(file: Blob, options?: object): Promise<{ status: string; fileName: string; size: number }> }
  readonly realtime: {
    subscribe(
      topic: string,
      params: object,
      handle: (message: { title: string; echo: string }) => void,
      handlers?: object,
    ): { active: boolean; position?: string; send(input: object): Promise<void>; close(): void }
    close(): void
  }
}

const use = fileURLToPath(new URL('../services/topics/boards/module.js', import.meta.url))
const recipe = {
  modules: { identity: {}, content: {}, features: {}, media: {}, boards: { use } },
  features: {
    'new-editor': { default: false, rules: [{ when: { country: 'DE' }, value: true }] },
    theme: { default: 'light' },
  },
}

/** Sockets that the client opens, so that a test can cut their connections. */
class TrackedSocket extends WebSocket {
  static readonly opened: TrackedSocket[] = []
  constructor(url: string) {
    super(url)
    TrackedSocket.opened.push(this)
  }
}

interface Context {
  readonly kernel: TestKernel
  readonly ada: Person
  readonly module: GeneratedModule<Client>
  readonly larder: Client
  publish(title: string): void
}
const test = anyTest as TestFn<Context>

test.before(async t => {
  const clock = createTestClock()
  const kernel = await startTestKernel({ recipe, clock })
  // A process resumes subscriptions once it has run longer than clocks may differ.
  clock.forward(10_000)
  const ada = await kernel.register('ada@example.test')
  const module = await importSource<GeneratedModule<Client>>(await clientSource(recipe))
  // Signed URLs have the public address of the recipe.
  const local = (url: string, init: RequestInit) => fetch(url.replace('http://localhost:8080', kernel.url), init)
  const options = {
    baseUrl: kernel.url,
    token: ada.token,
    tenant: ada.tenantId,
    fetch: local,
    WebSocket: TrackedSocket,
  }
  const publish = (title: string) =>
    kernel.kernel.ports.topics.publish('boards.cards', { tenantId: ada.tenantId, key: 'a' }, { title })
  t.context = { kernel, ada, module, larder: module.createClient(options), publish } as Context
})
test.after.always(async t => {
  t.context.larder?.realtime.close()
  await t.context.kernel?.stop()
})

test.serial('creates, lists and iterates over records', async t => {
  const { pages } = t.context.larder.content
  for (const slug of ['one', 'two', 'three']) await pages.create({ slug, title: slug })
  const { data, nextCursor } = await pages.list({ limit: 2, sort: 'createdAt', filter: { status: 'draft' } })
  t.deepEqual(
    data.map(({ slug }) => slug),
    ['one', 'two'],
  )
  t.truthy(nextCursor)
  const slugs: string[] = []
  for await (const { slug } of pages.all({ limit: 2, sort: 'createdAt' })) slugs.push(slug)
  t.deepEqual(slugs, ['one', 'two', 'three'])
})

test.serial('returns errors with their codes and fields', async t => {
  const { module, larder } = t.context
  const missing = await larder.content.pages.get('pag_01hzy0j8x4e7r9k2m5p8q1s3t6').safe()
  t.like(missing, { ok: false, error: { code: 'not_found' } })
  const invalid = await larder.content.pages.create({ slug: 'Not a slug' }).safe()
  t.deepEqual(invalid.error?.errors.map(({ pointer }) => pointer).sort(), ['/slug', '/title'])
  try {
    await larder.content.pages.create({ slug: 'one', title: 'Again' })
    t.fail()
  } catch (error) {
    t.true(module.isLarderError(error))
    t.false(module.isLarderError(error, 'not_found'))
  }
})

test.serial('changes a record only if nobody else did', async t => {
  const { pages } = t.context.larder.content
  const { id } = await pages.create({ slug: 'shared', title: 'Shared' })
  const { etag } = (await pages.get(id).withResponse()).response
  await pages.update(id, { title: 'Mine' }, { ifMatch: etag })
  const conflict = await pages.update(id, { title: 'Yours' }, { ifMatch: etag }).safe()
  t.is(conflict.error?.code, 'precondition_failed')
})

test.serial('calls another workspace with another tenant', async t => {
  const { kernel, ada, module } = t.context
  const { body } = await ada.post('/v1/identity/tenants', { name: 'Second' })
  const client = module.createClient({ baseUrl: kernel.url, token: ada.token, tenant: async () => body.id })
  t.is((await client.content.pages.list()).data.length, 0)
})

test.serial('evaluates flags', async t => {
  const { flags } = t.context.larder
  t.is(await flags.evaluate('new-editor', { country: 'DE' }), true)
  t.is(await flags.evaluate('theme'), 'light')
  t.deepEqual(await flags.evaluateAll(), { 'new-editor': false, theme: 'light' })
})

test.serial('uploads a file and waits for its checks', async t => {
  const bytes = await png()
  const file = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
  const item = await t.context.larder.media.upload(file, { fileName: 'dot.png' })
  t.like(item, { status: 'ready', fileName: 'dot.png', size: bytes.length })
})

test.serial('receives messages of a topic, and those of a disconnect after it', async t => {
  const { larder, publish } = t.context
  const titles: string[] = []
  let gaps = 0
  const subscription = larder.realtime.subscribe('boards.cards', { board: 'a' }, ({ title }) => titles.push(title), {
    onGap: () => gaps++,
  })
  await waitFor(() => subscription.active)
  publish('first')
  await waitFor(() => titles.length === 1)
  TrackedSocket.opened.at(-1)?.terminate()
  await waitFor(() => !subscription.active)
  publish('meanwhile')
  await waitFor(() => titles.length === 2)
  publish('later')
  await waitFor(() => titles.length === 3)
  t.deepEqual(titles, ['first', 'meanwhile', 'later'])
  t.is(gaps, 0)
  subscription.close()
  await waitFor(() => TrackedSocket.opened.at(-1)?.readyState === WebSocket.CLOSED)
})

test.serial('sends to a topic', async t => {
  const echoes: string[] = []
  const subscription = t.context.larder.realtime.subscribe('boards.echo', {}, ({ echo }) => echoes.push(echo))
  await waitFor(() => subscription.active)
  await subscription.send({ text: 'hi' })
  await waitFor(() => echoes.includes('hi'))
  await t.throwsAsync(subscription.send({ text: 'far too long for it' }), { message: /fields are invalid/ })
  subscription.close()
})

test.serial('ends a subscription that is refused, and one that the server ends', async t => {
  const { larder } = t.context
  const ended = new Promise<{ code: string }>(onEnd =>
    larder.realtime.subscribe('boards.nothing', {}, () => {}, { onEnd }),
  )
  t.is((await ended).code, 'unknown_topic')
  const over = new Promise<{ code: string; message: string }>(onEnd => {
    const subscription = larder.realtime.subscribe('boards.echo', {}, () => {}, { onEnd })
    // The confirmation may arrive after the end.
    void waitFor(() => subscription.active).then(() => subscription.send({ text: 'end' }).catch(() => undefined))
  })
  t.like(await over, { code: 'subscription_ended', message: 'over' })
})

test.serial('subscribes to public topics without a credential', async t => {
  const { kernel, module, ada } = t.context
  const client = module.createClient({
    baseUrl: kernel.url,
    anonymous: true,
    tenant: ada.tenantId,
    WebSocket: TrackedSocket,
  })
  const titles: string[] = []
  const subscription = client.realtime.subscribe('boards.public', { board: 'a' }, ({ title }) => titles.push(title))
  await waitFor(() => subscription.active)
  kernel.kernel.ports.topics.publish('boards.public', { tenantId: ada.tenantId, key: 'a' }, { title: 'Open' })
  await waitFor(() => titles.length === 1)
  client.realtime.close()
  t.deepEqual(titles, ['Open'])
})

test.serial("connects to the caller's own tenant if none is named", async t => {
  const { kernel, module, ada } = t.context
  const client = module.createClient({ baseUrl: kernel.url, token: ada.token, WebSocket: TrackedSocket })
  const titles: string[] = []
  const subscription = client.realtime.subscribe('boards.cards', { board: 'a' }, ({ title }) => titles.push(title))
  await waitFor(() => subscription.active)
  kernel.kernel.ports.topics.publish('boards.cards', { tenantId: ada.tenantId, key: 'a' }, { title: 'Own' })
  await waitFor(() => titles.length === 1)
  client.realtime.close()
  t.deepEqual(titles, ['Own'])
})

test.serial('passes the code and message of a refused connection', async t => {
  const { kernel, module, ada } = t.context
  const options = { baseUrl: kernel.url, token: ada.token, tenant: 'ten_other', WebSocket: TrackedSocket }
  const error = await new Promise<{ code: string; message: string }>(onEnd =>
    module.createClient(options).realtime.subscribe('boards.cards', { board: 'a' }, () => {}, { onEnd }),
  )
  t.like(error, {
    code: 'not_a_member',
    message: "You aren't a member of this workspace. Switch to another one or ask an owner to invite you.",
  })
})

test.serial('ends subscriptions without a credential that the server accepts', async t => {
  const { kernel, module, ada } = t.context
  const options = { baseUrl: kernel.url, token: 'dt_unknown', tenant: ada.tenantId, WebSocket: TrackedSocket }
  const client = module.createClient(options)
  const error = await new Promise<{ code: string }>(onEnd =>
    client.realtime.subscribe('boards.cards', { board: 'a' }, () => {}, { onEnd }),
  )
  t.is(error.code, 'unauthenticated')
})
