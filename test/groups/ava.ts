/** Replaces `ava` for the test files of a group; see resolve.ts. */
import { createCollector } from './collector.ts'

export default createCollector(new URL(import.meta.url).searchParams.get('file') as string)
