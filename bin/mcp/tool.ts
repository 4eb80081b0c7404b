import type { Static, TObject } from 'typebox'
import { Type } from '../../kernel/base/index.ts'
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
  /** A sentence that names the arguments that shorten a long answer. */
  readonly narrow?: string
  /** True if replies contain nothing but the documentation of the package. They aren't redacted. */
  readonly fromPackage?: boolean
  /** Returns text, or a value that is sent as JSON. Throws a CallError for mistakes of the caller. */
  run(args: unknown, context: ToolContext): unknown
}

const PAGE = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Where the answer begins, as the note of an earlier part names it.' }),
  ),
}

/** `run` receives validated arguments. Long answers are sent in parts. */
export const defineTool = <I extends TObject>(
  tool: Omit<Tool, 'input' | 'run'> & { readonly input: I; run(args: Static<I>, context: ToolContext): unknown },
): Tool => ({ ...tool, input: Type.Object({ ...tool.input.properties, ...PAGE }) }) as Tool
