/** For what goes on to another page when the service has answered: whoever has gone elsewhere by then stays there. */
export function watchPlace(): () => boolean {
  const { pathname } = location;
  return () => location.pathname === pathname;
}
