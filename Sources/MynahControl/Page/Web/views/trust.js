export default {id:'trust',title:'trust',mount(){return ()=>{}}}
