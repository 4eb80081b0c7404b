import { api, defineRequests } from './request.ts'
import type { World } from './world.ts'

const course = (key: string) => ({ title: `Course ${key}`, price: 1900, startsAt: '2026-01-31T12:00:00Z' })
async function create({ owner, call }: Pick<World, 'owner' | 'call'>, key: string): Promise<string> {
  const { id } = await call<{ id: string }>(owner, 'POST', '/v1/data/courses', course(key))
  return id
}
const PATH = '/v1/data/courses'

const fileOf = (collection: string, key: string) => `${collection === 'courses' ? 'title' : 'name'}\nImported ${key}\n`
/** An import that has ended: a workspace can have few that haven't. */
async function endedImport({ owner, url, call }: World, collection: string, key: string): Promise<string> {
  const path = `/v1/data/${collection}/imports`
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...owner.headers, 'content-type': 'text/csv' },
    body: fileOf(collection, key),
  })
  if (response.status !== 202) throw new Error(await response.text())
  const { id } = (await response.json()) as { id: string }
  await call(owner, 'POST', `${path}/${id}/cancel`)
  return id
}

const importRequests = (collection: 'courses' | 'subjects') => {
  const path = `/v1/data/${collection}/imports`
  return {
    [`GET ${path}`]: ({ owner }: Seeded) => api(owner, `${path}?limit=20`),
    [`GET ${path}/:id`]: ({ owner, imports }: Seeded) => api(owner, `${path}/${imports[collection]}`),
    [`GET ${path}/:id/errors`]: ({ owner, imports }: Seeded) => api(owner, `${path}/${imports[collection]}/errors`),
    // The same file again and again: it is read and stored each time.
    [`POST ${path}`]: ({ owner, run }: Seeded) => ({
      path,
      headers: { ...owner.headers, 'content-type': 'text/csv', 'idempotency-key': run },
      body: fileOf(collection, run),
      status: 202,
    }),
    [`POST ${path}/:id/cancel`]: ({ owner, imports }: Seeded) =>
      api(owner, `${path}/${imports[collection]}/cancel`, {}, { status: 409 }),
  }
}

/** An export that the worker completes after the seed. */
async function exportOf({ owner, call }: World, collection: string): Promise<string> {
  return (await call<{ id: string }>(owner, 'POST', `/v1/data/${collection}/exports?filter[id]=none`)).id
}

const exportRequests = (collection: 'courses' | 'subjects') => {
  const path = `/v1/data/${collection}/exports`
  return {
    [`GET ${path}`]: ({ owner }: Seeded) => api(owner, `${path}?limit=20`),
    [`GET ${path}/:id`]: ({ owner, exports }: Seeded) => api(owner, `${path}/${exports[collection]}`),
    [`GET ${path}/:id/file`]: ({ owner, exports }: Seeded) => api(owner, `${path}/${exports[collection]}/file`),
    // The same export again and again.
    [`POST ${path}`]: ({ owner, run }: Seeded) => ({
      path: `${path}?filter[id]=none`,
      headers: { ...owner.headers, 'content-type': 'application/json', 'idempotency-key': run },
      body: '{}',
      status: 202,
    }),
    // A workspace can have few exports, so there is nothing to delete.
    [`DELETE ${path}/:id`]: ({ owner }: Seeded) => api(owner, `${path}/exp_none`, undefined, { status: 404 }),
  }
}
type Seeded = World & {
  readonly imports: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
  readonly run: string
}

export const collections = defineRequests(
  async world => {
    const { owner, call } = world
    const subject = await call<{ id: string }>(owner, 'POST', '/v1/data/subjects', { name: `Math ${Date.now()}` })
    const ids: string[] = []
    for (let n = 0; n < 40; n++) ids.push(await create(world, `${n}`))
    for (let n = 0; n < 20; n++) {
      const { id } = await call<{ id: string }>(owner, 'POST', '/v1/data/subjects', {
        name: `Trash ${Date.now()}-${n}`,
      })
      await call(owner, 'DELETE', `/v1/data/subjects/${id}`)
    }
    const changed = await call<{ id: string }>(owner, 'POST', '/v1/data/subjects', { name: `Changed ${Date.now()}` })
    for (let n = 0; n < 20; n++)
      await call(owner, 'PATCH', `/v1/data/subjects/${changed.id}`, { name: `Changed ${Date.now()}-${n}` })
    for (const id of ids) await call(owner, 'PATCH', `${PATH}/${id}`, { subject: subject.id })
    const imports: Record<string, string> = {}
    for (const name of ['courses', 'subjects']) imports[name] = await endedImport(world, name, `rows-${Date.now()}`)
    const exports: Record<string, string> = {}
    for (const name of ['courses', 'subjects']) exports[name] = await exportOf(world, name)
    return {
      imports,
      exports,
      id: ids[0] as string,
      subject: subject.id,
      changed: changed.id,
      run: `${process.pid}-${Date.now()}`,
    }
  },
  {
    ...importRequests('courses'),
    ...importRequests('subjects'),
    ...exportRequests('courses'),
    ...exportRequests('subjects'),
    'GET /v1/data/courses': ({ owner }) =>
      api(owner, `${PATH}?filter[price][lte]=2000&sort=-startsAt&expand=subject&limit=20`),
    'GET /v1/data/courses/aggregate': ({ owner }) => api(owner, `${PATH}/aggregate?group=level&sum=price`),
    'GET /v1/data/courses/:id': ({ owner, id }) => api(owner, `${PATH}/${id}`),
    'POST /v1/data/courses': ({ owner, run }, n) => api(owner, PATH, course(`${run}-${n}`)),
    'PATCH /v1/data/courses/:id': ({ owner, id }, n) => api(owner, `${PATH}/${id}`, { price: n }),
    'PUT /v1/data/courses': ({ owner, run }, n) =>
      api(owner, `${PATH}?by=slug`, { ...course(`${run}-${n}`), slug: `upserted-${run}-${n}` }, { status: 201 }),
    'DELETE /v1/data/courses/:id': async (context, n) =>
      api(context.owner, `${PATH}/${await create(context, `old-${context.run}-${n}`)}`),
    'POST /v1/data/courses/batch': ({ owner, id, run }, n) =>
      api(owner, `${PATH}/batch`, {
        operations: [
          { action: 'update', id, data: { price: n } },
          { action: 'create', data: course(`batch-${run}-${n}`) },
        ],
      }),
    'GET /v1/data/subjects': ({ owner }) => api(owner, '/v1/data/subjects?limit=20'),
    'GET /v1/data/subjects/aggregate': ({ owner }) => api(owner, '/v1/data/subjects/aggregate'),
    'GET /v1/data/subjects/:id': ({ owner, subject }) => api(owner, `/v1/data/subjects/${subject}`),
    'POST /v1/data/subjects': ({ owner, run }, n) => api(owner, '/v1/data/subjects', { name: `Subject ${run}-${n}` }),
    'PATCH /v1/data/subjects/:id': ({ owner, subject, run }, n) =>
      api(owner, `/v1/data/subjects/${subject}`, { name: `Changed ${run}-${n}` }),
    'PUT /v1/data/subjects': ({ owner, run }, n) =>
      api(owner, '/v1/data/subjects?by=name', { name: `Upserted ${run}-${n}` }, { status: 201 }),
    'DELETE /v1/data/subjects/:id': async ({ owner, call, run }, n) => {
      const made = await call<{ id: string }>(owner, 'POST', '/v1/data/subjects', { name: `Old ${run}-${n}` })
      return api(owner, `/v1/data/subjects/${made.id}`)
    },
    'GET /v1/data/subjects/trash': ({ owner }) => api(owner, '/v1/data/subjects/trash?limit=20'),
    'POST /v1/data/subjects/:id/restore': async ({ owner, call, run }, n) => {
      const made = await call<{ id: string }>(owner, 'POST', '/v1/data/subjects', { name: `Restored ${run}-${n}` })
      await call(owner, 'DELETE', `/v1/data/subjects/${made.id}`)
      return api(owner, `/v1/data/subjects/${made.id}/restore`, {})
    },
    'GET /v1/data/subjects/:id/history': ({ owner, changed }) =>
      api(owner, `/v1/data/subjects/${changed}/history?limit=20`),
    'POST /v1/data/subjects/:id/history/:revision/restore': async ({ owner, call, run }, n) => {
      const made = await call<{ id: string }>(owner, 'POST', '/v1/data/subjects', { name: `Version ${run}-${n}` })
      await call(owner, 'PATCH', `/v1/data/subjects/${made.id}`, { name: `Newer ${run}-${n}` })
      return api(owner, `/v1/data/subjects/${made.id}/history/1/restore`, {})
    },
    'POST /v1/data/subjects/batch': ({ owner, run }, n) =>
      api(owner, '/v1/data/subjects/batch', {
        operations: [{ action: 'create', data: { name: `Batch ${run}-${n}` } }],
      }),
  },
)
