import type { Static, TObject } from 'typebox'
import type { Redactor } from '../redactor.ts'
import type { Project } from './project.ts'

export interface ToolContext {
  readonly project: Project
  readonly redactor: Redactor
}

/** Every tool reads only. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  /** True if replies contain nothing but the documentation of the package. They aren't redacted. */
  readonly fromPackage?: boolean
  /** Returns text, or a value that is sent as JSON. Throws a CallError for mistakes of the caller. */
  run(args: unknown, context: ToolContext): unknown
}

/** `run` receives validated arguments. */
export const defineTool = <I extends TObject>(
  tool: Omit<Tool, 'input' | 'run'> & { readonly input: I; run(args: Static<I>, context: ToolContext): unknown },
): Tool => tool as Tool
