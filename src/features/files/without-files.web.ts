/** No other server has the data of a page. */
export const WITHOUT_FILES = {};
