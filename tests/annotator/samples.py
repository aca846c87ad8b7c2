"""A shop's screen as uiautomator tells it, and steps on it."""

from dataclasses import replace

from episodes import actions as a
from episodes.geometry import Point, Size
from episodes.screens import (
    Basis,
    Frame,
    StepTree,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step

SIZE = Size(1000, 2000)
SHOP = b"""<?xml version='1.0'?><hierarchy rotation="0">
 <node class="w.FrameLayout" bounds="[0,0][1000,2000]">
  <node class="w.LinearLayout" bounds="[0,0][1000,2000]">
   <node class="w.TextView" text="Fernway" bounds="[20,20][400,100]"/>
   <node class="w.EditText" clickable="true" hint="Search" text="hunter2" password="true"
     bounds="[0,100][1000,200]"/>
   <node class="v.ViewGroup" clickable="true" bounds="[0,200][1000,380]">
    <node class="w.TextView" text="Moss ball" bounds="[20,220][300,300]"/>
    <node class="w.ImageButton" clickable="true" resource-id="com.fern:id/add_to_basket"
      bounds="[800,220][960,360]"/>
    <node class="w.ImageView" bounds="[400,220][600,360]"/>
    <node class="w.Button" clickable="true" enabled="false" text="Sold out"
      bounds="[620,220][780,360]"/>
   </node>
   <node class="v.ViewGroup" clickable="true" content-desc="Agave" bounds="[0,400][500,900]"/>
   <node class="w.EditText" clickable="true" text="A note" bounds="[500,400][1000,900]"/>
   <node class="android.webkit.WebView" bounds="[0,900][1000,1800]"/>
   <node class="w.FrameLayout" clickable="true" content-desc="Film" bounds="[0,1800][200,1900]">
    <node class="android.view.SurfaceView" bounds="[0,1800][200,1900]"/>
   </node>
   <node class="w.ImageView" clickable="true" content-desc="Left" bounds="[300,1800][420,1900]"/>
   <node class="w.ImageView" clickable="true" content-desc="Right" bounds="[400,1800][520,1900]"/>
   <node class="w.Button" clickable="true" text="Half out" bounds="[900,1950][1100,2050]"/>
  </node>
 </node>
</hierarchy>"""


def step(x, y, fit=TreeFit.FRESH, data=SHOP, index=0, size=SIZE, **fields):
    record = TreeRecord("uiautomator", data, "uiautomator dump", TreeStatus.OK, size=size)
    made = Step(
        index,
        a.Tap(Point(x, y)),
        Frame(SIZE, Basis.PAINTED),
        tree=StepTree(record, fit),
    )
    return replace(made, **fields)
