"""Four words for a long number: short enough to be read to a friend, long enough that a slip does not go unnoticed.

32 bits of a hash are shown, eight to a word. They catch mistakes and whoever tampers once; they are no proof against
somebody who searches for a second number with the same words. Proofs and signatures do that.
"""

from hashlib import sha256
from typing import Final

_TAG: Final = b"p2pkaboo/v1/words"

_LIST: Final = """
acorn actor alley amber anchor ankle apple apron arch arrow attic autumn bacon badge baker bamboo banjo barn
basket beach beetle bell bench berry birch bishop blanket blossom boat bonnet book bottle branch brick bridge
broom bubble bucket butter button cabin cactus camel candle canoe canyon carpet castle cedar chair cherry
chess chimney cider circle citrus clay cliff clock clover coast cobweb coffee comet copper coral corner cotton
cradle crane crayon creek cricket crown cuckoo cup dagger daisy dance deer denim desert diary dinner dolphin
donkey door dragon drum duck dune dust eagle earth easel echo elbow elder ember engine falcon farmer feather
fennel fern fiddle finger flame flute forest fossil fountain fox frost garden garlic gate ghost ginger glacier
glove goat goose granite grape guitar hammer harbor hat hazel heron hill hinge honey hood horn hotel hunter
ice igloo indigo ink iron island ivory jacket jar jelly jewel jigsaw jungle kayak kettle kite kitten knot
ladder lake lantern lark laurel lemon lens lily linen lion lizard lobster lotus lumber lunch magnet maple
marble market meadow melon mint mirror mitten monkey moon moss mountain mule music mustard napkin nectar
needle nest night noodle nutmeg oak ocean olive onion orbit orchid otter oven owl paddle palace panda paper
parrot peach pearl pebble pencil pepper piano pigeon pillow pirate planet plum pocket poem pond poppy potato
puddle pumpkin quarry quill quilt rabbit radio raft rain raven ribbon river robin rocket rope rose saddle
salmon sand scarf shadow shell silver spider spoon stone sugar sunset swan tiger tulip violin
"""

WORDS: Final = tuple(_LIST.split())
"""256 common words that differ by ear; their order is part of what is shown and never changes."""

COUNT: Final = 4
"""Words shown: 32 bits."""


def four_words(data: bytes) -> tuple[str, ...]:
    """The words of a key, or of a history's head."""
    digest = sha256(_TAG + data).digest()
    return tuple(WORDS[byte] for byte in digest[:COUNT])
