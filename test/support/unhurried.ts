/** unhurried: settings with which reading a file may take as long as a busy machine needs. */
export const unhurried = { SVC_TRANSFORM_SECONDS: '600' };
