document.documentElement.dataset["scripts"] = "";
