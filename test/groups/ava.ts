/** Replaces `ava` in the copies of test files that scripts/test-groups.mjs writes. `?file=` names the test file. */
import { createCollector } from './collector.ts'

export default createCollector(new URL(import.meta.url).searchParams.get('file') as string)
