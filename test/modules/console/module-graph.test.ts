import test from 'ava'
import {
  edgesOf,
  eventRelations,
  type ModuleNode,
  neighborsOf,
  portRelations,
} from '../../../modules/console/app/screens/platform/dependencies.ts'
import { countCrossings, orderLayers, type Place } from '../../../modules/console/app/screens/platform/layer-order.ts'
import { closestRising, layoutGraph } from '../../../modules/console/app/screens/platform/layered-layout.ts'

const module = (key: string, more: Partial<ModuleNode> = {}): ModuleNode => ({
  ...{ key, summary: '', state: 'running', needs: [], optional: [], provides: [], events: [], listeners: [] },
  ...more,
})
const SIZES = { nodeWidth: 100, nodeHeight: 40, gapX: 20, gapY: 60 }
const edge = (from: string, to: string) => ({ from, to })

test('connects modules by ports, and leaves out the ports of core services and of the module itself', t => {
  const modules = [
    module('forms', {
      needs: ['database', 'people', 'formServices'],
      optional: ['mailer'],
      provides: ['formServices'],
    }),
    module('identity', { provides: ['people', 'callerRights'] }),
    module('comms', { optional: ['callerRights', 'people'], provides: ['mailer'] }),
  ]
  t.deepEqual(portRelations(modules), [
    { from: 'forms', to: 'identity', kind: 'needs', name: 'people' },
    { from: 'forms', to: 'comms', kind: 'optional', name: 'mailer' },
    { from: 'comms', to: 'identity', kind: 'optional', name: 'callerRights' },
    { from: 'comms', to: 'identity', kind: 'optional', name: 'people' },
  ])
  const edges = edgesOf(portRelations(modules))
  t.deepEqual(edges.at(-1), { from: 'comms', to: 'identity', kind: 'optional', names: ['callerRights', 'people'] })
  t.deepEqual(neighborsOf('comms', edges), { uses: ['identity'], usedBy: ['forms'] })
})

test('an edge is required if one of its ports is', t => {
  const modules = [module('a', { needs: ['x'], optional: ['y'] }), module('b', { provides: ['x', 'y'] })]
  t.deepEqual(edgesOf(portRelations(modules)), [{ from: 'a', to: 'b', kind: 'needs', names: ['x', 'y'] }])
})

test('connects modules by events, once per type', t => {
  const modules = [
    module('a', { listeners: ['b.made', 'b.made', 'a.made', 'kernel.started'].map(event => ({ event })) }),
    module('b', { events: [{ type: 'b.made' }] }),
    module('c', { events: [{ type: 'a.made' }] }),
  ]
  t.deepEqual(eventRelations(modules), [
    { from: 'a', to: 'c', kind: 'event', name: 'a.made' },
    { from: 'a', to: 'b', kind: 'event', name: 'b.made' },
  ])
})

test('places each node above the nodes that it points to, without overlaps', t => {
  const ids = [...'abcdefgh']
  const edges = [edge('a', 'b'), edge('b', 'c'), edge('a', 'c'), edge('d', 'c'), edge('e', 'b'), edge('f', 'c')]
  const { nodes, width, height, edges: lines } = layoutGraph(ids, edges, SIZES)
  for (const { from, to } of edges) t.true((nodes.get(from)?.y ?? 0) < (nodes.get(to)?.y ?? 0), `${from} ${to}`)
  const all = [...nodes.values()]
  for (const [index, one] of all.entries()) {
    t.true(one.x >= 50 && one.x <= width - 50 && one.y >= 20 && one.y <= height - 20)
    for (const other of all.slice(index + 1)) t.true(one.y !== other.y || Math.abs(one.x - other.x) >= 119.9)
  }
  t.is(lines.length, edges.length)
  for (const { edge: each, points } of lines) {
    t.is(points[0]?.x, nodes.get(each.from)?.x)
    t.is(points.at(-1)?.x, nodes.get(each.to)?.x)
  }
})

test('draws cycles, and ignores edges to itself and to unknown nodes', t => {
  const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('a', 'a'), edge('a', 'x')]
  const { nodes, edges: lines } = layoutGraph(['a', 'b', 'c'], edges, SIZES)
  t.is(new Set([...nodes.values()].map(({ y }) => y)).size, 3)
  t.deepEqual(
    lines.map(({ edge: each }) => each),
    edges.slice(0, 3),
  )
  const back = lines[2]?.points ?? []
  t.true((back[0]?.y ?? 0) > (back.at(-1)?.y ?? 0), 'leads upward')
})

test('lays out nothing, and one module', t => {
  t.deepEqual(layoutGraph([], [], SIZES), { width: 0, height: 0, nodes: new Map(), edges: [] })
  const { width, height, nodes } = layoutGraph(['a'], [], SIZES)
  t.deepEqual({ width, height, a: nodes.get('a') }, { width: 100, height: 40, a: { x: 50, y: 20 } })
})

test('removes crossings that another order avoids', t => {
  const place = (id: string): Place => ({ id, isNode: true, above: [], below: [], x: 0 })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(place) as [Place, Place, Place, Place]
  for (const [upper, lower] of [
    [a, d],
    [b, c],
  ] as const) {
    upper.below.push(lower)
    lower.above.push(upper)
  }
  const layers = [
    [a, b],
    [c, d],
  ]
  t.is(countCrossings(layers), 1)
  t.is(countCrossings(orderLayers(layers)), 0)
})

test('returns the closest rising numbers', t => {
  t.deepEqual(closestRising([1, 3, 2, 4]), [1, 2.5, 2.5, 4])
  t.deepEqual(closestRising([3, 2, 1]), [2, 2, 2])
  t.deepEqual(closestRising([]), [])
})
