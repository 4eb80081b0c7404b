/**
 * Makes modules and gives each a narrow frozen view of the others. awilix holds the instances; it overwrites names
 * silently and resolves typing mistakes at run time, so it never leaves this file, and wire.ts has checked every name
 * before it hears of one. Its build for browsers is the same without the loading of modules from folders.
 */

import { asFunction, asValue, createContainer, InjectionMode } from 'awilix/browser'
import type { Module, Ports } from '../contract/index.ts'
import { KERNEL_PORTS, type OwnPorts } from '../recipe/index.ts'

export interface Wiring {
  /** What a module may touch: its needs, wants and gives, nothing else. */
  view(module: Module): object
  /** Registers what a module gives and makes it at once, so that a factory that throws does so by name. */
  make(module: Module, options: unknown, recipe: unknown): void
  /** A port that the kernel itself uses where a module gives it. */
  port<P extends keyof Ports>(name: P): Ports[P] | undefined
  /** Takes a module's ports back: it could not be made, or not started. */
  forget(module: Module): void
}

/** Holds the ports of one kernel. Call `make` in the order of `inOrder`. */
export function createWiring(kernelPorts: OwnPorts): Wiring {
  const container = createContainer<Record<string, unknown>>({ injectionMode: InjectionMode.PROXY, strict: true })
  const given = new Set<string>(KERNEL_PORTS)
  for (const port of KERNEL_PORTS) container.register(port, asValue(kernelPorts[port]))

  /** One a module: what gauges count asks for it at each question. */
  const views = new WeakMap<Module, object>()
  const viewOf = (module: Module): object => {
    const names = [...(module.needs ?? []), ...(module.optional ?? []), ...Object.keys(module.provides ?? {})]
    const getters = names.map(name => [
      name,
      { enumerable: true, get: () => (given.has(name) ? container.resolve(name) : undefined) },
    ])
    return Object.freeze(Object.defineProperties({}, Object.fromEntries(getters)))
  }
  const view = (module: Module): object => {
    const made = views.get(module) ?? viewOf(module)
    views.set(module, made)
    return made
  }
  return {
    view,
    make(module, options, recipe) {
      const ports = Object.entries(module.provides ?? {})
      for (const [port, factory] of ports) {
        const make = () => factory(view(module) as never, options as never, recipe as never)
        container.register(port, asFunction(make).singleton())
        given.add(port)
      }
      for (const [port] of ports) container.resolve(port)
    },
    port: name => (given.has(name) ? container.resolve<Ports[typeof name]>(name) : undefined),
    forget(module) {
      for (const port of Object.keys(module.provides ?? {})) given.delete(port)
    },
  }
}
