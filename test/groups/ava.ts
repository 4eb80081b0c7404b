/** What `import test from 'ava'` gives a test file in a group: see resolve.ts. */
import { createCollector } from './collector.ts'

export default createCollector(new URL(import.meta.url).searchParams.get('file') as string)
