import { common, type Deps, page } from 'larder/kernel'
import { problems } from '../problems.ts'
import { listDead, retryDead } from '../services/dead-letters.ts'
import { type ConsoleView, consoleView } from './console-view.ts'

/** Rows of each table. */
const SHOWN = 50

/** `/console`: what runs, what waits, what failed; for those who may see every tenant. */
export const pages = ({ inspector }: Deps<'inspector'>) => {
  async function load(retried: string | undefined): Promise<{ data: ConsoleView }> {
    const [queue, dead, events] = await Promise.all([
      inspector.queue(),
      listDead(inspector, { tenantId: null, limit: SHOWN }),
      inspector.events.list({ tenantId: null, limit: SHOWN }),
    ])
    const { modules, info } = inspector
    return { data: consoleView({ info: info(), modules: modules(), queue, dead, events: events.data, retried }) }
  }
  return [
    page({
      name: 'platform.console',
      path: '/console',
      title: 'Console',
      allow: 'platform.tenant.read_all',
      load: ({ query }) => load(query.retried),
      async post({ form, caller }) {
        const permission = 'platform.tenant.retry_all'
        if (!caller.can(permission)) throw common.forbidden({ permission }, { requiredPermission: permission })
        const letter = await retryDead(inspector, form.id ?? '', null)
        if (!letter) throw problems.not_dead()
        // The address tells the reader what happened, and a reload does not post again.
        return { redirect: `/console?retried=${encodeURIComponent(letter.name)}` }
      },
    }),
  ]
}
