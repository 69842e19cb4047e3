document.title = "banto";
