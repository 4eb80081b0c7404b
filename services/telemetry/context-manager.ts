import { withContext } from '@larder-dev/larder/kernel/internal'
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api'
import { currentTrace, SpanTrace } from './subscriber.ts'

type Call = (...args: never[]) => unknown

/** The context of OpenTelemetry's API as a part of the kernel's, so that spans of modules belong to the traces of Larder. */
export const contextManager: ContextManager = {
  active: () => currentTrace()?.context ?? ROOT_CONTEXT,
  with(context, work, thisArg, ...args) {
    const trace = currentTrace()?.within(context) ?? new SpanTrace(context, { hasEnded: false })
    return withContext({ trace }, () => work.apply(thisArg as never, args))
  },
  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target
    const work = target as unknown as Call
    return ((...args: never[]) => contextManager.with(context, () => work(...args))) as unknown as T
  },
  enable: () => contextManager,
  disable: () => contextManager,
}
