import { type Channels, type Deps, defineModule, defineService, type PayloadsOf, Type } from '../../kernel/index.ts'
import type {} from './ports.ts'

// expect: TS2322 a service does not implement its port
export const a = defineService({ name: 'x', provides: { postbox: () => ({ post: () => {} }) } })
// expect: TS2820 a service needs a misspelled port
export const b = defineService({ name: 'x', needs: ['postbx'] })
// expect: TS2561 a service declares an unknown field
export const c = defineService({ name: 'x', provide: {} })
// expect: TS2339 a service uses a port that it does not need
export const d = defineService({ name: 'x', needs: ['greeter'], init: ({ postbox }) => postbox.send('a') })

// expect: TS2561 a message has a field that its channel does not have
export const e = ({ bus }: Deps<'bus'>) => bus.publish('visits.changed', { visit: '1' })
// expect: TS2339 a subscriber reads a field that its channel does not have
export const f = ({ bus }: Deps<'bus'>) => bus.subscribe('visits.changed', ({ visit }) => void visit)
// expect: TS2322 a message has another type than its channel
export const g: Channels['visits.changed'] = { visitId: 1 }

const events = { 'visits.visit.made': Type.Object({ visitId: Type.String() }) }
// expect: TS2322 a payload does not match its schema
export const h: PayloadsOf<typeof events>['visits.visit.made'] = { visitId: 1 }
// expect: TS2339 an event has no schema
export type I = PayloadsOf<typeof events>['visits.visit.lost']

// expect: TS2554 work across tenants gives no reason
export const j = defineModule({
  name: 'x',
  needs: ['systemDatabase'],
  start: d => void d.systemDatabase.acrossTenants(),
})
// expect: TS2339 work across tenants is not declared
export const k = defineModule({ name: 'x', needs: ['database'], start: d => void d.systemDatabase })

const clerk = () => ({ file: (paper: string) => paper })
// expect: TS2551 a private service has no such method
export const l = defineModule({ name: 'x', services: { clerk }, start: d => void d.clerk.fle('a') })
// expect: TS2339 a private service does not exist
export const m = defineModule({ name: 'x', services: { clerk }, start: d => void d.cashier })
// expect: TS2344 another definition's private service is read
export const n = (deps: Deps<'clerk'>) => deps
