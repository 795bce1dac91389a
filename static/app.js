"use strict";(()=>{document.documentElement.dataset.scripts="";})();
