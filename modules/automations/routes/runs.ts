import { consoleLocale, type Deps, listQuery, OneOf, route, Type } from '@larder-dev/larder/kernel'
import { RUN_STATES } from '../domain/run-states.ts'
import { problems } from '../problems.ts'
import { Run, RunDetails, RunList } from '../records/run.ts'
import type { AutomationServices } from '../services.ts'

/** Operators see all runs, and others those of rows that they may read. */
const READ = ['automations.run.read', 'user'] as const

/** The run can be of any workspace. */
const ELSEWHERE = { unit: 'across' } as const

export const runRoutes = ({
  product,
  control,
  runReader,
}: Deps<'product'> & Pick<AutomationServices, 'control' | 'runReader'>) => [
  route({
    method: 'get',
    path: '/automations/runs',
    operationId: 'listAutomationRuns',
    allow: READ,
    summary: 'Lists runs of automations, newest first.',
    description:
      'With `automations.run.read`, those of every workspace. Without it, those of the row that `filter[rowId]` names, if the caller may read the row.',
    query: listQuery(),
    filters: {
      rowId: Type.String({ maxLength: 64 }),
      automation: Type.String({ maxLength: 60 }),
      state: OneOf(RUN_STATES),
      tenantId: Type.String({ maxLength: 64 }),
    },
    replies: { 200: RunList },
    handle: ({ caller, tenantId, granted, query, filters }) =>
      runReader.list({ caller, tenantId, isOperator: granted !== 'user' }, { ...query, ...filters }),
  }),
  route({
    method: 'get',
    path: '/automations/runs/:id',
    operationId: 'getAutomationRun',
    allow: READ,
    summary: 'Returns a run with its steps.',
    description: 'Values of fields that the caller may not read are `[hidden]`.',
    replies: { 200: RunDetails },
    handle: ({ caller, tenantId, granted, params, request }) =>
      runReader.get({ caller, tenantId, isOperator: granted !== 'user' }, params.id, consoleLocale(request, product)),
  }),
  route({
    method: 'post',
    path: '/automations/runs/:id/retry',
    operationId: 'retryAutomationRun',
    allow: 'automations.run.retry',
    summary: 'Continues a failed run at the step that failed.',
    replies: { 202: Run },
    problems: [problems.run_not_failed, problems.input_not_kept, problems.already_running],
    ...ELSEWHERE,
    handle: async ({ params: { id } }) => control.retry(await runReader.tenantOf(id), id),
  }),
  route({
    method: 'post',
    path: '/automations/runs/:id/cancel',
    operationId: 'cancelAutomationRun',
    allow: 'automations.run.cancel',
    summary: 'Ends a run. A step that runs is finished.',
    replies: { 200: Run },
    problems: [problems.run_over],
    ...ELSEWHERE,
    handle: async ({ params: { id } }) => control.cancel(await runReader.tenantOf(id), id),
  }),
  route({
    method: 'post',
    path: '/automations/runs/:id/again',
    operationId: 'repeatAutomationRun',
    allow: 'automations.run.retry',
    summary: 'Starts a new run with the input of one that is over, by the definition of the current recipe.',
    replies: { 202: Run },
    problems: [problems.run_open, problems.automation_removed, problems.input_not_kept, problems.already_running],
    ...ELSEWHERE,
    handle: async ({ params: { id } }) => control.again(await runReader.tenantOf(id), id),
  }),
]
