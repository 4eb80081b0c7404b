import type { Registrations } from '@larder-dev/larder/kernel'

const STATES = {
  running: { title: 'Running' },
  waiting: { title: 'Waiting' },
  done: { title: 'Done', tone: 'success' },
  ended: { title: 'Row is gone', tone: 'plain' },
  skipped: { title: 'Skipped', tone: 'plain' },
  failed: { title: 'Failed', tone: 'danger' },
  refused: { title: 'Refused by the plan', tone: 'warning' },
  cancelled: { title: 'Cancelled', tone: 'plain' },
} as const
const TRIGGERS = {
  event: { title: 'Event', tone: 'plain' },
  schedule: { title: 'Schedule', tone: 'plain' },
  date: { title: 'Date of a row', tone: 'plain' },
  button: { title: 'Button', tone: 'plain' },
  hook: { title: 'Hook', tone: 'plain' },
} as const
const OVER = ['done', 'ended', 'skipped', 'failed', 'refused', 'cancelled']

export const resources: Registrations['resources'] = [
  {
    name: 'list',
    title: 'Automations',
    singular: 'Automation',
    label: 'label',
    key: 'key',
    icon: 'workflow',
    operations: { list: 'listAutomations' },
    columns: ['label', 'trigger', 'startedBy', 'lastState', 'lastRunAt', 'successRate', 'nextAt'],
    states: { lastState: STATES, trigger: TRIGGERS },
    labels: { lastState: 'Last result', nextAt: 'Next time', open: 'Under way' },
    operatorOnly: true,
  },
  {
    name: 'runs',
    title: 'Runs of automations',
    singular: 'Run',
    label: 'automation',
    icon: 'history',
    operations: { list: 'listAutomationRuns', get: 'getAutomationRun' },
    columns: ['automation', 'state', 'trigger', 'rowId', 'tenantId', 'createdAt', 'finishedAt'],
    filters: ['filter[state]', 'filter[automation]', 'filter[tenantId]', 'filter[rowId]'],
    states: { state: STATES, trigger: TRIGGERS },
    labels: {
      tenantId: 'Workspace',
      rowId: 'Row',
      position: 'Next step',
      'filter[tenantId]': 'Workspace',
      'filter[rowId]': 'Row',
    },
    actions: [
      { operation: 'retryAutomationRun', title: 'Retry', when: { state: ['failed'] } },
      {
        operation: 'cancelAutomationRun',
        title: 'Cancel',
        danger: true,
        confirm: 'Cancel this run? Steps that are done stay done.',
        when: { state: ['running', 'waiting'] },
      },
      {
        operation: 'repeatAutomationRun',
        title: 'Run again',
        confirm: 'Start a new run with the same input?',
        when: { state: OVER },
      },
    ],
    operatorOnly: true,
    refreshSeconds: 10,
  },
  {
    name: 'asks',
    title: 'Questions',
    singular: 'Question',
    label: 'text',
    icon: 'circle-help',
    operations: { list: 'listAutomationAsks', get: 'getAutomationAsk' },
    columns: ['text', 'automation', 'createdAt', 'expiresAt'],
    labels: { choices: 'Possible answers' },
    actions: [{ operation: 'answerAutomationAsk', title: 'Send answer' }],
  },
]
