import { type Deps, defineModule } from '../../kernel/index.ts'
import type {} from './ports.ts'

// expect: TS2820 a needed port is misspelt
export const a = defineModule({ name: 'x', needs: ['greetr'] })
// expect: TS2339 a port is used that the module does not need
export const b = defineModule({ name: 'x', needs: ['greeter'], start: ({ postbox }) => postbox.send('a') })
// expect: TS2322 an imported part needs more than the module declares
const start = ({ postbox }: Deps<'postbox'>) => postbox.send('a')
export const c = defineModule({ name: 'x', needs: ['greeter'], start })
// expect: TS18048 a wanted port is taken for granted
export const d = defineModule({ name: 'x', optional: ['postbox'], start: ({ postbox }) => postbox.send('a') })
// expect: TS2322 a factory does not implement its port
export const e = defineModule({ name: 'x', provides: { greeter: () => ({ wave: 1 }) } })
// expect: TS2561 a port is given that nobody declared
export const f = defineModule({ name: 'x', provides: { greetr: () => 1 } })
