// Asks for the parts that this page will load, while what loads them is still on its way. Which files they are, the build wrote beside it.
(function () {
  var parts = document.currentScript.dataset;
  var isSignedIn = false;
  try {
    isSignedIn = localStorage.getItem('authUser') !== null;
  } catch {
    // Storage can be forbidden: then nobody is signed in.
  }
  var isInside = isSignedIn || location.pathname.indexOf('/question/') === 0;
  var files = (isInside ? parts.space : parts.login).split(' ');
  files.forEach(function (file) {
    var link = document.createElement('link');
    var isStyle = /\.css$/.test(file);
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  });
})();
