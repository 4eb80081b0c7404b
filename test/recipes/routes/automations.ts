import { api, defineRequests, form, page } from './request.ts'

const RUNS = '/v1/automations/runs'
const ASKS = '/v1/automations/asks'
const TOUCH = '/v1/automations/touch/run'
interface Row {
  readonly id: string
}

export const automations = defineRequests(
  async ({ owner, operator, call, sql }) => {
    const { id: row } = await call<Row>(owner, 'POST', '/v1/data/courses', { title: 'Touched' })
    const { id: run } = await call<Row>(owner, 'POST', TOUCH, { row })
    // Asks as the run will, once a worker runs.
    const ask = `ask_${run.slice(4)}`
    await sql(
      `insert into automations_asks
         (tenant_id, id, run_id, position, automation, role, text, choices, expires_at, created_at)
       values ($1, $2, $3, 99, 'touch', 'tenant.owner', '"Go on?"', '{go,stop}', now() + interval '1 day', now())`,
      [owner.tenantId, ask, run],
    )
    const inState = (state: string) =>
      sql(
        `update automations_runs set state = $2, position = 0,
           finished_at = case when $2 in ('failed', 'done') then now() end where id = $1`,
        [run, state],
      )
    /** Presses are refused beside an open run. */
    const endRuns = () =>
      sql(`update automations_runs set state = 'done', finished_at = now() where automation = 'touch'`)
    const control = async (state: string, action: string) => {
      await endRuns()
      await inState(state)
      return api(operator, `${RUNS}/${run}/${action}`, undefined)
    }
    const open = async () => {
      await inState('waiting')
      await sql('update automations_asks set choice = null, answered_by = null, answered_at = null where id = $1', [
        ask,
      ])
    }
    return { row, run, ask, control, open, endRuns }
  },
  {
    'GET /v1/automations': ({ operator }) => api(operator, '/v1/automations'),
    'GET /v1/automations/:key': ({ operator }) => api(operator, '/v1/automations/touch'),
    'GET /v1/automations/runs': ({ operator }) => api(operator, RUNS),
    'GET /v1/automations/runs/:id': ({ operator, run }) => api(operator, `${RUNS}/${run}`),
    'POST /v1/automations/runs/:id/retry': ({ control }) => control('failed', 'retry'),
    'POST /v1/automations/runs/:id/cancel': ({ control }) => control('waiting', 'cancel'),
    'POST /v1/automations/runs/:id/again': ({ control }) => control('done', 'again'),
    'GET /v1/automations/asks': ({ owner }) => api(owner, ASKS),
    'GET /v1/automations/asks/:id': ({ owner, ask }) => api(owner, `${ASKS}/${ask}`),
    'POST /v1/automations/asks/:id/answer': async ({ owner, ask, open }) => {
      await open()
      return api(owner, `${ASKS}/${ask}/answer`, { choice: 'go' })
    },
    'GET /questions/:id': async ({ owner, ask, open }) => {
      await open()
      return page(owner, `/questions/${ask}`)
    },
    'POST /questions/:id': async ({ owner, ask, open }) => {
      await open()
      return form(owner, `/questions/${ask}`, { choice: 'go' })
    },
    'POST /v1/automations/touch/run': async ({ owner, row, endRuns }) => {
      await endRuns()
      return api(owner, TOUCH, { row })
    },
    'POST /v1/hooks/received': (_, n) =>
      api(
        undefined,
        '/v1/hooks/received',
        { name: `Received ${n}` },
        {
          headers: { 'x-secret': 'the secret of a hook', 'x-delivery': `${n} ${Date.now()}` },
        },
      ),
  },
)
