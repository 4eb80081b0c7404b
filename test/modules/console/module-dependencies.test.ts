import test from 'ava'
import {
  eventRelations,
  type ModuleNode,
  portRelations,
} from '../../../modules/console/app/screens/platform/dependencies.ts'

const module = (key: string, more: Partial<ModuleNode> = {}): ModuleNode => ({
  key,
  needs: [],
  optional: [],
  provides: [],
  events: [],
  listeners: [],
  ...more,
})

test('connects modules by ports, and leaves out the ports of core services and of the module itself', t => {
  const modules = [
    module('forms', {
      needs: ['database', 'people', 'formStore'],
      optional: ['mailer'],
      provides: ['formStore'],
    }),
    module('identity', { provides: ['people', 'callerRights'] }),
    module('comms', { optional: ['callerRights', 'people'], provides: ['mailer'] }),
  ]
  t.deepEqual(portRelations(modules), [
    { from: 'forms', to: 'identity', kind: 'needs', name: 'people' },
    { from: 'forms', to: 'comms', kind: 'optional', name: 'mailer' },
    { from: 'comms', to: 'identity', kind: 'optional', name: 'callerRights' },
    { from: 'comms', to: 'identity', kind: 'optional', name: 'people' },
  ])
})

test('connects modules by events, once per type', t => {
  const modules = [
    module('a', { listeners: ['b.made', 'b.made', 'a.made', 'kernel.started'].map(event => ({ event })) }),
    module('b', { events: [{ type: 'b.made' }] }),
    module('c', { events: [{ type: 'a.made' }] }),
  ]
  t.deepEqual(eventRelations(modules), [
    { from: 'a', to: 'c', kind: 'event', name: 'a.made' },
    { from: 'a', to: 'b', kind: 'event', name: 'b.made' },
  ])
})
