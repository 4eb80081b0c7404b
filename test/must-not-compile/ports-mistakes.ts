import { type Deps, defineModule } from '../../kernel/index.ts'
import type {} from './ports.ts'

// expect: TS2820 a needed port is misspelled
export const a = defineModule({ name: 'x', needs: ['greetr'] })
// expect: TS2339 a module uses a port that it does not need
export const b = defineModule({ name: 'x', needs: ['greeter'], start: ({ postbox }) => postbox.send('a') })
// expect: TS2322 an imported factory needs a port that the module does not declare
const start = ({ postbox }: Deps<'postbox'>) => postbox.send('a')
export const c = defineModule({ name: 'x', needs: ['greeter'], start })
// expect: TS18048 an optional port is used without a check
export const d = defineModule({ name: 'x', optional: ['postbox'], start: ({ postbox }) => postbox.send('a') })
// expect: TS2322 a factory does not implement its port
export const e = defineModule({ name: 'x', provides: { greeter: () => ({ wave: 1 }) } })
// expect: TS2561 a module provides an undeclared port
export const f = defineModule({ name: 'x', provides: { greetr: () => 1 } })
