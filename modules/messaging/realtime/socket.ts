import { movedSocket } from 'larder/kernel'

export const messagingSockets = () => [movedSocket('/messaging/realtime', '/v1/realtime')]
