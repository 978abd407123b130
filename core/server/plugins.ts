/** plugins: the only place where the floors below the plugins refer to them. */
export { areas } from '../../plugins';
