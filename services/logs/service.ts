import { type Deps, defineService } from '@larder-dev/larder/kernel'
import type {} from './ports.ts'
import { createRecentLog } from './recent-log.ts'

const recordLog = ({ log }: Deps<'log'>) => createRecentLog(log)

export default defineService({
  name: 'logs',
  summary: 'Keeps the log of the last hour in memory, for the console.',
  needs: ['log'],
  services: { recordedLog: { create: recordLog, dispose: recordedLog => recordedLog.close() } },
  provides: { recentLog: ({ recordedLog }) => recordedLog },
})
